import {
  type ReactNode,
  type Ref,
  useDeferredValue,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { type Command, useCommands } from '../../lib/commands.ts';
import { toggleInspector, toggleSidebar, useLayout } from '../../lib/layout.ts';
import { useIsDisconnected } from '../../lib/link-state.ts';
import { panelShortcuts } from '../../lib/shortcut.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CompareIcon, InspectIcon, PromptsIcon, SidebarIcon } from '../../ui/icons/actions.tsx';
import { lazyComponent, lazyDialog } from '../../ui/lazy-component.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import type { Comparing } from '../compare/use-comparing.ts';
import { compareRows } from '../compare/variants.ts';
import type { Form } from '../form/form.ts';
import { hasPanelText } from '../form/panel-text.ts';
import {
  getRequestViews,
  showNextView,
  showRequestAs,
  UNFINISHED,
  useIsUnfinished,
  useRequestView,
  useUnfinishedText,
} from '../form/request-views.ts';
import {
  getInProgressBlock,
  type RunBlock,
  showRunBlock,
  useRefusals,
  useShownField,
} from '../form/run-block.ts';
import { RunButton, type RunLabel } from '../frame/run-button.tsx';
import { PastedBanner } from '../paste/pasted-banner.tsx';
import styles from './panel-frame.module.css';

export interface PanelFrameProps {
  title: string;
  pickers?: ReactNode;
  /** Additional controls, shown before Run. */
  actions?: ReactNode;
  /** Enables variants in panels that support comparisons. */
  compare?: Comparing | undefined;
  /** The form whose request has several views; by default, the one that is compared. */
  viewed?: Form<OperationName> | undefined;
  sidebar?: ReactNode;
  /** False if the panel offers prompts next to its text. */
  hasPrompts?: boolean;
  onRun?: (() => void) | undefined;
  /** Lets a panel without a text box focus Run. */
  runRef?: Ref<HTMLButtonElement> | undefined;
  onStop?: (() => void) | undefined;
  running?: boolean;
  /** Keeps Run available during a run, to add to the panel's queue. */
  queues?: boolean;
  runBlocked?: RunBlock | null;
  /** True until the start request is answered. */
  runBusy?: boolean;
  /** If there is `content`, the panel must render its own `RunButton`. */
  runPlace?: 'header' | 'content';
  runLabel?: RunLabel;
  children: ReactNode;
}

const VariantBar = lazyComponent(
  async () => (await import('../compare/variant-bar.tsx')).VariantBar,
);

const PromptsDialog = lazyDialog(
  'Prompts',
  async () => (await import('../form/prompts-dialog.tsx')).PromptsDialog,
);

const narrow = '(max-width: 1099px)';

export function PanelFrame({
  title,
  pickers,
  actions,
  compare,
  viewed = compare?.form,
  sidebar,
  hasPrompts = true,
  onRun,
  runRef,
  onStop,
  running = false,
  queues = false,
  runBlocked = null,
  runBusy = false,
  runPlace = 'header',
  runLabel = 'Run',
  children,
}: PanelFrameProps) {
  const isNarrow = useMediaQuery(narrow);
  const wideOpen = useLayout((layout) => layout.sidebarOpen);
  const inspectorOpen = useLayout((layout) => layout.inspectorOpen);
  const [drawerOpen, setDrawerOpen] = useState(false);
  const [showsPrompts, setShowsPrompts] = useState(false);
  const hasSidebar = sidebar !== undefined;
  const sidebarOpen = hasSidebar && (isNarrow ? drawerOpen : wideOpen);
  // The sidebar has most of the controls, so render it after the panel can be used.
  const showsSidebar = useDeferredValue(true, false);
  const toggle = () => (isNarrow ? setDrawerOpen((open) => !open) : toggleSidebar());
  const frame = useRef<HTMLDivElement>(null);
  useShownField(frame, { isOpen: sidebarOpen || !hasSidebar, isFilled: showsSidebar }, toggle);
  const isLinkLost = useIsDisconnected();
  const waits = running && (!queues || isLinkLost);
  const isUnfinished = useIsUnfinished(compare?.form);
  const ready = isUnfinished ? unfinishedBlock : runBlocked;
  const blocked = waits ? getInProgressBlock(isLinkLost) : ready;
  useRefusals(frame, blocked);
  const canRun = onRun !== undefined && !runBusy;
  const canStop = onStop !== undefined && running && !isLinkLost;

  const commands: Command[] = [
    {
      ...createCommand('run', canRun, () => (blocked === null ? onRun?.() : showRunBlock())),
      title: runLabel,
      listed: !running,
    },
    createCommand('stop', canStop, () => onStop?.()),
    createCommand('sidebar', hasSidebar, toggle),
    ...(compare === undefined ? [] : [compareCommand(compare)]),
    ...(viewed === undefined ? [] : viewCommands(viewed.operation)),
    {
      id: 'panel.prompts',
      title: 'Insert or save a prompt',
      group: 'Panel',
      keywords: 'prompts library template variables',
      enabled: compare !== undefined && hasPanelText(compare.form),
      run: () => setShowsPrompts(true),
    },
  ];
  useCommands(commands);

  return (
    <div ref={frame} className={styles.frame}>
      <header className={styles.header}>
        <h1 className={styles.title}>{title}</h1>
        {viewed !== undefined && <ViewSwitch form={viewed} />}
        <div className={styles.pickers}>{compare?.usesFormModel !== false && pickers}</div>
        <div className={styles.actions}>
          {actions}
          {hasPrompts && compare !== undefined && hasPanelText(compare.form) && (
            <IconButton
              label="Prompts"
              icon={<PromptsIcon />}
              onClick={() => setShowsPrompts(true)}
            />
          )}
          {compare !== undefined && (
            <IconButton
              label="Compare"
              icon={<CompareIcon />}
              pressed={compare.isOn}
              onClick={compare.toggle}
            />
          )}
          {onRun !== undefined && runPlace === 'header' && (
            <RunButton
              ref={runRef}
              label={runLabel}
              running={running}
              busy={runBusy}
              disabledReason={ready?.reason ?? null}
              onRun={onRun}
              onStop={onStop}
            />
          )}
          {hasSidebar && (
            <IconButton
              label="Parameters"
              shortcut={panelShortcuts.sidebar.shortcut}
              icon={<SidebarIcon />}
              aria-expanded={sidebarOpen}
              onClick={toggle}
            />
          )}
          <IconButton
            label="Inspector"
            data-inspector-control
            shortcut="Mod+J"
            icon={<InspectIcon />}
            aria-expanded={inspectorOpen}
            onClick={toggleInspector}
          />
        </div>
      </header>
      {viewed !== undefined && <PastedBanner form={viewed} />}
      {showsPrompts && compare !== undefined && (
        <PromptsDialog
          form={compare.form}
          onRows={
            compare.input.promptField?.several === undefined
              ? undefined
              : (prompts) => compareRows(compare.form, prompts)
          }
          onClose={() => setShowsPrompts(false)}
        />
      )}
      <div className={styles.body}>
        <div className={styles.content}>
          {compare?.isOn === true && <VariantBar compare={compare} />}
          {children}
        </div>
        {sidebarOpen && (
          <SideDrawer label="Parameters" over={isNarrow} onClose={() => setDrawerOpen(false)}>
            {showsSidebar && sidebar}
          </SideDrawer>
        )}
      </div>
    </div>
  );
}

function createCommand(
  name: keyof typeof panelShortcuts,
  enabled: boolean,
  run: () => void,
): Command {
  return { id: `panel.${name}`, group: 'Panel', ...panelShortcuts[name], enabled, run };
}

function ViewSwitch({ form: { id, operation } }: { form: Form<OperationName> }) {
  const view = useRequestView(operation);
  const isBroken = useUnfinishedText(id) !== null && view !== 'json';
  const problem = isBroken ? 'The JSON has errors.' : undefined;
  return (
    <Segmented
      label="View"
      className={styles.views}
      value={view}
      options={getRequestViews(operation).map((option) =>
        option.value === 'json' ? { ...option, problem } : option,
      )}
      onValueChange={(chosen) => showRequestAs(operation, chosen)}
      takesFocus
    />
  );
}

function viewCommands(operation: OperationName): Command[] {
  return [
    createCommand('view', true, () => showNextView(operation)),
    ...getRequestViews(operation).map(
      ({ value, label }): Command => ({
        id: `panel.view-${value}`,
        group: 'Panel',
        title: `Show the request as ${value === 'form' ? 'a form' : label}`,
        keywords: 'view form json code body',
        run: () => showRequestAs(operation, value),
      }),
    ),
  ];
}

const unfinishedBlock: RunBlock = { reason: UNFINISHED };

function compareCommand({ isOn, toggle }: Comparing): Command {
  return {
    id: 'panel.compare',
    group: 'Panel',
    title: isOn ? 'Stop comparing' : 'Compare variants',
    keywords: 'compare variants models side by side',
    run: toggle,
  };
}

function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => matchMedia(query).matches,
  );
}
