import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { type ExpectedCost, estimateCost, formatCost } from '../../../../shared/cost.ts';
import { getNumber } from '../../../../shared/exact-number.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { getMedian } from '../../../../shared/median.ts';
import type { Rates } from '../../../../shared/prices.ts';
import { orpc } from '../../../lib/api.ts';
import { formatCount, pluralize } from '../../../lib/format-quantity.ts';
import { FactTable } from '../../../run/body/fact-table.tsx';
import { formatTokenLimit } from '../../../run/form/model-picker/describe-facts.ts';
import { getConversationForm } from '../../../run/form/panel-forms.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { TokenCount } from '../../../run/live/token-count.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Popover } from '../../../ui/popover.tsx';
import { useChatState } from '../session/chat-session.ts';
import styles from './context-gauge.module.css';
import { type ContextSize, estimateContext, listOutputs } from './context-size.ts';
import { useNextRequest } from './next-request.tsx';

/** The gauge warns from this share of the limit. */
const NEAR = 0.9;

/** Shows the estimated size and cost of the next request. */
export function ContextGauge() {
  const form = useChatState((chat) => chat.form);
  const path = useChatState((chat) => chat.path);
  const connectionId = useChatState(({ run }) => run.connection?.id ?? null);
  const model = useChatState(({ run }) => run.model);
  const request = useChatState(({ ready }) => ready?.request ?? null);
  const saved = useChatState(({ conversation }) => conversation?.systemMessage ?? null);
  const newSystemMessage = useForm(getConversationForm(null), ({ input }) => input.systemMessage);
  const systemMessage = saved ?? newSystemMessage;
  // Defer the estimate, so that a long draft doesn't slow down typing.
  const draft = useDeferredValue(useForm(form, ({ input }) => input));
  const { tools, response_format: format } = request ?? {};
  const instructions = useMemo(
    () => systemMessage + toText(tools) + toText(format),
    [systemMessage, tools, format],
  );
  const size = useMemo(
    () => estimateContext({ path, instructions, draft }),
    [path, instructions, draft],
  );
  const { data } = useQuery({
    ...orpc.models.facts.queryOptions({ input: { connectionId: connectionId ?? '', model } }),
    enabled: connectionId !== null && model !== '',
  });
  const limit = data?.facts?.contextTokens ?? null;
  if (size.total === 0) return null;
  const share = limit === null ? 0 : size.total / limit;
  const cost = getNextCost(data?.price?.rates ?? null, size.total, { path, request });
  const tokens = `≈ ${formatTokenLimit(size.total)}`;
  const unit = size.total === 1 ? 'token' : 'tokens';
  const text =
    limit === null ? `${tokens} ${unit}` : `${tokens} of ${formatTokenLimit(limit)} tokens`;
  return (
    <Popover
      // Include the visible text in the name, so that voice control can find the button.
      label={`Context ${text}`}
      title="Context"
      trigger={text}
      className={classNames(styles.gauge, share > NEAR && styles.near)}
    >
      <FactTable isProse label="Context" facts={getFacts(size, limit, cost)} />
      <p className="hint">{getNote(share, size.isCounted)}</p>
      <NextTokenCount />
    </Popover>
  );
}

/** Offers the exact count beside the estimate, while there is a request to count. */
function NextTokenCount() {
  const next = useNextRequest();
  if ('blocked' in next) return null;
  return (
    <div className="wrap-8">
      <TokenCount input={next.input} basis={next.basis} />
    </div>
  );
}

function toText(value: JsonObject[string] | undefined): string {
  return value === undefined ? '' : JSON.stringify(value);
}

function getNextCost(
  rates: Rates | null,
  inputTokens: number,
  { path, request }: { path: readonly TreeMessage[]; request: JsonObject | null },
): ExpectedCost | null {
  if (rates === null) return null;
  const { max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens, n } = request ?? {};
  const limit = getNumber(maxCompletionTokens) ?? getNumber(maxTokens);
  const outputTokens =
    limit === null ? getMedian(listOutputs(path)) : limit * Math.max(1, getNumber(n) ?? 1);
  return estimateCost(rates, { inputTokens, outputTokens });
}

type Facts = (readonly [name: string, value: string])[];

function getFacts(size: ContextSize, limit: number | null, cost: ExpectedCost | null): Facts {
  const { messages, instructions, draft, total } = size;
  const facts: Facts = [];
  if (messages > 0) facts.push(['Messages', formatCount(messages)]);
  if (instructions > 0) facts.push(['System message and tools', formatCount(instructions)]);
  if (draft > 0) facts.push(['Draft', formatCount(draft)]);
  facts.push(['Next request', pluralize(total, 'token')]);
  if (limit !== null) facts.push(['Limit of the model', formatCount(limit)]);
  if (cost !== null) {
    facts.push(['Est. cost', `${cost.isLeast ? 'at least ' : ''}${formatCost(cost.dollars)}`]);
  }
  return facts;
}

function getNote(share: number, isCounted: boolean): string {
  const how = isCounted
    ? 'Counted by the gateway up to the last answer, estimated after it.'
    : 'Estimated from the length of the text.';
  if (share > 1)
    return `Longer than the model’s context. Start a new conversation or branch. ${how}`;
  return share > NEAR ? `Close to the model’s limit. ${how}` : how;
}
