/** Tracks each MCP server's sign-in until the user ends or repeats it. */
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import type { McpStatus } from '../../shared/mcp.ts';
import type { Network } from '../gateway/network.ts';
import { cleanText } from './read-offers.ts';
import type { NeededAccess, PendingSignIn, SignInStore } from './sign-in.ts';

interface SignInsOptions {
  network: Pick<Network, 'connect'>;
  now: () => number;
  getStore: (id: string) => SignInStore;
  getHeaders: (id: string) => Promise<ReadonlyMap<string, string>>;
  onChange: (id: string) => void;
  onSignedIn: (id: string) => void;
  log: (id: string, text: string) => void;
}

interface SignIn {
  state: { status: McpStatus; error: AppError | null };
  close: () => void;
}

/** Limits error text from the authorization server, which may have any length. */
const MAX_REASON_LENGTH = 300;

export interface ServerSignIns {
  /** Returns null if the user isn't signing in and the last attempt didn't fail. */
  state(id: string): SignIn['state'] | null;
  /** Cancels a pending sign-in, and forgets a failed one and the access that was required. */
  end(id: string): void;
  /** Returns the page where the user signs in. Throws a `UserFacingError` if there is none. */
  start(id: string, name: string, url: string): Promise<{ url: string }>;
  /** Asks for this access at the next sign-in. */
  require(id: string, access: NeededAccess): void;
  /** Ends all sign-ins. */
  close(): void;
}

export function createServerSignIns(options: SignInsOptions): ServerSignIns {
  const { network, now, getStore, getHeaders, onChange, log } = options;
  const signIns = new Map<string, SignIn>();
  const needed = new Map<string, NeededAccess>();

  function cancel(id: string): void {
    signIns.get(id)?.close();
    signIns.delete(id);
  }

  return {
    state: (id: string) => signIns.get(id)?.state ?? null,
    end(id: string): void {
      cancel(id);
      needed.delete(id);
    },
    require: (id: string, access: NeededAccess) => void needed.set(id, access),

    async start(id: string, name: string, url: string): Promise<{ url: string }> {
      cancel(id);
      let isOver = false;
      let pending: PendingSignIn | null = null;
      // Register this first, so that changing the server ends it while its page is looked up.
      const signIn: SignIn = {
        state: { status: 'signing-in', error: null },
        close() {
          isOver = true;
          pending?.close();
        },
      };
      signIns.set(id, signIn);
      onChange(id);
      const show = (error: AppError | null) => {
        signIn.state = { status: 'sign-in', error };
        onChange(id);
      };
      const store = getStore(id);
      try {
        const { startSignIn } = await import('./sign-in.ts');
        pending = await startSignIn({
          name,
          url,
          network,
          now,
          headers: await getHeaders(id),
          access: needed.get(id) ?? null,
          store: {
            get: store.get,
            // A canceled sign-in must not store tokens for a changed address.
            set: (tokens) => (isOver ? Promise.resolve() : store.set(tokens)),
          },
          onDone(problem) {
            if (isOver) return;
            log(id, problem === null ? 'Signed in.' : `Signing in failed: ${problem}`);
            if (problem !== null) {
              show(createNotSignedInError(name, problem));
              return;
            }
            signIns.delete(id);
            needed.delete(id);
            options.onSignedIn(id);
          },
        });
      } catch (cause) {
        show(null);
        throw cause;
      }
      if (isOver) {
        pending.close();
        throw new UserFacingError(signInEnded(name));
      }
      return { url: pending.url };
    },

    close(): void {
      for (const id of [...signIns.keys()]) cancel(id);
    },
  };
}

function createNotSignedInError(name: string, problem: string) {
  const reason = cleanText(problem).slice(0, MAX_REASON_LENGTH).replace(/\.?$/, '.');
  const nextStep = 'Sign in again under Settings → MCP servers.';
  return appError('unauthorized', `Couldn’t sign in to ${name}: ${reason}`, nextStep);
}

function signInEnded(name: string) {
  const message = `${name} was changed while Gatehouse looked up where to sign in.`;
  return appError('invalid-request', message, 'Sign in again.');
}
