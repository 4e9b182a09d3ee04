/** `npm run gateway -- --port N --key K`: the demo gateway alone, for other clients and tests. */
import { randomBytes } from 'node:crypto';
import { exitWithParent } from '../launch/child-process.ts';
import { type CommandLine, readCommandLine, USAGE } from './command-line.ts';
import { type DemoGateway, startDemoGateway } from './server.ts';

const command = readCommandLine(process.argv.slice(2));
switch (command.kind) {
  case 'help':
    console.log(USAGE);
    break;
  case 'wrong':
    console.error(`${command.problem}\n${USAGE}`);
    process.exitCode = 2;
    break;
  case 'start':
    await start(command);
}

async function start({
  port,
  key: chosenKey,
  videoSeconds,
}: Extract<CommandLine, { kind: 'start' }>): Promise<void> {
  // Before anything that takes time: the parent process may exit in the meantime.
  exitWithParent();
  const key = chosenKey ?? `demo-${randomBytes(18).toString('base64url')}`;
  let gateway: DemoGateway;
  try {
    gateway = await startDemoGateway({
      port,
      key,
      ...(videoSeconds !== null && { videoSeconds }),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`The demo gateway could not start: ${reason}. Try another --port, or 0.`);
    process.exitCode = 1;
    return;
  }
  console.log(gateway.baseUrl);
  if (chosenKey === null) {
    console.error(
      [
        `API key (for this run only): ${key}`,
        `Try: curl ${gateway.baseUrl}/v1/models -H "Authorization: Bearer ${key}"`,
        'Press Ctrl+C to stop.',
      ].join('\n'),
    );
  }
  const stop = () => {
    void gateway.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}
