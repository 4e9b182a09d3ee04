/** Evaluates one script on its own thread, which ends with it. */
import { parentPort, workerData } from 'node:worker_threads';
import { evaluateScript } from './evaluate-script.ts';

parentPort?.postMessage(await evaluateScript(workerData));
