import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { ErrorIcon } from './icons/status.tsx';

export interface ErrorBoundaryProps {
  /** The pane's visible name, such as “Chat”. */
  name: string;
  /** The pane renders again once this promise settles, even if it rejects. */
  onRetry?: () => Promise<void>;
  children: ReactNode;
}

/** Catches rendering errors so that only one pane fails. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { problem: string | null }> {
  override state: { problem: string | null } = { problem: null };

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  readonly #retry = async () => {
    await this.props.onRetry?.().catch(() => undefined);
    this.setState({ problem: null });
  };

  override render() {
    if (this.state.problem === null) return this.props.children;
    return (
      <div role="alert" className="fill">
        <EmptyState
          icon={<ErrorIcon size={20} />}
          title={`${this.props.name} crashed`}
          action={
            <>
              <Button onClick={() => void this.#retry()}>Try again</Button>
              <Button variant="quiet" onClick={() => location.reload()}>
                Reload page
              </Button>
            </>
          }
        >
          <p>Your runs continue, and your data is saved.</p>
          <p>{this.state.problem}</p>
        </EmptyState>
      </div>
    );
  }
}
