/**
 * Reads the trusted certificates of Node and the system on a thread, because macOS may check each
 * one over the network (nodejs/node#63313).
 */
import { getCACertificates } from 'node:tls';
import { parentPort } from 'node:worker_threads';

parentPort?.postMessage([
  ...new Set([...getCACertificates('default'), ...getCACertificates('system')]),
]);
