/** Defines what a gateway says about its models, such as limits, modalities and prices. */
import { z } from 'zod';
import { type Rates, ratesSchema } from './prices.ts';

export const modalitySchema = z.enum(['text', 'image', 'audio', 'video', 'file']);
export type Modality = z.infer<typeof modalitySchema>;

const tokens = z.int().positive().nullable();

/** Null means unknown, never that the model lacks something. */
export const modelFactsSchema = z.object({
  /** The maximum tokens of a request, usually including its answer. */
  contextTokens: tokens,
  /** The maximum number of output tokens. */
  outputTokens: tokens,
  /** The kinds of content that the model accepts, and those that it generates. */
  inputs: z.array(modalitySchema).nullable(),
  outputs: z.array(modalitySchema).nullable(),
  tools: z.boolean().nullable(),
  reasoning: z.boolean().nullable(),
  rates: ratesSchema.nullable(),
});
export type ModelFacts = z.infer<typeof modelFactsSchema>;

export const noFacts: ModelFacts = {
  contextTokens: null,
  outputTokens: null,
  inputs: null,
  outputs: null,
  tools: null,
  reasoning: null,
  rates: null,
};

export function hasFacts(facts: ModelFacts): boolean {
  return Object.values(facts).some((fact) => fact !== null);
}

/** Fills the null fields of `facts` from `others`. */
export function fillFacts(facts: ModelFacts, others: ModelFacts): ModelFacts {
  return {
    contextTokens: facts.contextTokens ?? others.contextTokens,
    outputTokens: facts.outputTokens ?? others.outputTokens,
    inputs: facts.inputs ?? others.inputs,
    outputs: facts.outputs ?? others.outputs,
    tools: facts.tools ?? others.tools,
    reasoning: facts.reasoning ?? others.reasoning,
    rates: facts.rates ?? others.rates,
  };
}

/** Returns null if no rate is known. */
export function toRates(some: Partial<Rates>): Rates | null {
  const rates = ratesSchema.parse(some);
  return Object.values(rates).some((rate) => rate !== null) ? rates : null;
}

export const voiceSchema = z.object({
  id: z.string(),
  /** A name for people; null if the gateway gives only the ID. */
  name: z.string().nullable(),
  /** The model that has this voice; null if the gateway doesn't say. */
  model: z.string().nullable(),
});
export type ListedVoice = z.infer<typeof voiceSchema>;

/** A row of a gateway's model list. */
export const listedModelSchema = z.object({
  id: z.string(),
  ownedBy: z.string().nullable(),
  endpointTypes: z.array(z.string()).nullable(),
  /** Null if the row has no facts that Gatehouse reads. */
  facts: modelFactsSchema.nullable(),
});
export type ListedModel = z.infer<typeof listedModelSchema>;
