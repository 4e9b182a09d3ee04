/** Chooses the model that tests a key. */
import type { ListedModel } from '../../shared/model-facts.ts';
import { fitsOperation, guessOperation } from './endpoint-types.ts';

/** Returns the cheapest chat model, or the first one without prices; null if there is none. */
export function pickKeyModel(models: readonly ListedModel[]): string | null {
  const chat = models.filter((model) => {
    const guessed = guessOperation(model.id);
    return fitsOperation(model, 'chat') ?? (guessed === undefined || guessed === 'chat');
  });
  const getPrice = ({ facts }: ListedModel) =>
    facts?.rates?.outputPerMillionTokens ?? Number.POSITIVE_INFINITY;
  const byPrice = chat.toSorted((one, other) => {
    const [price, otherPrice] = [getPrice(one), getPrice(other)];
    return price === otherPrice ? 0 : price - otherPrice;
  });
  return byPrice[0]?.id ?? null;
}
