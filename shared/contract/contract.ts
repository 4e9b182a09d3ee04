/** Combines all procedures that the page may call. */
import { comparisonsContract } from './comparisons.ts';
import { connectionsContract } from './connections.ts';
import { conversationsContract } from './conversations.ts';
import { deletionsContract } from './deletions.ts';
import { formsContract, savedRequestsContract } from './forms.ts';
import { mediaContract } from './media.ts';
import { modelsContract } from './models.ts';
import { presetsContract } from './presets.ts';
import { pricesContract } from './prices.ts';
import { runsContract } from './runs.ts';
import { settingsContract } from './settings.ts';
import { systemContract } from './system.ts';
import { toolsContract } from './tools.ts';
import { updatesContract } from './updates.ts';

export const contract = {
  system: systemContract,
  settings: settingsContract,
  connections: connectionsContract,
  models: modelsContract,
  runs: runsContract,
  media: mediaContract,
  tools: toolsContract,
  forms: formsContract,
  savedRequests: savedRequestsContract,
  presets: presetsContract,
  prices: pricesContract,
  comparisons: comparisonsContract,
  conversations: conversationsContract,
  deletions: deletionsContract,
  updates: updatesContract,
};
export type AppContract = typeof contract;
