/** Evaluates one script on its own thread, which ends with it. */
import { parentPort, workerData } from 'node:worker_threads';
import { evaluateScript } from './evaluate-script.ts';

// Send each line immediately, because a stuck thread couldn't send it later.
const sendLine = (line: string) => parentPort?.postMessage({ line });
parentPort?.postMessage(await evaluateScript(workerData, sendLine));
