/** Runs the services on the project's Node for an Electron whose own is too old for them. */
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { IpcMain } from 'electron';
import { createMediaHandler } from '../../electron/browser/media-handler.ts';
import { PAGE_URL } from '../../electron/desktop/page-protocol.ts';
import { servePorts } from '../../electron/desktop/rpc-ports.ts';
import { createMediaRoutes } from '../../electron/media/routes/media-routes.ts';
import { createRouter } from '../../electron/router.ts';
import { createServices } from '../../electron/services.ts';
import { CONNECT_CHANNEL } from '../../shared/connect-channel.ts';
import { StandInFrame } from '../fixtures/electron/frame.ts';
import { StandInMessagePort } from '../fixtures/electron/message-port.ts';
import type { FromServices, MirroredState, ToServices } from './bridge-protocol.ts';

const [home = '', version = ''] = process.argv.slice(2);
const tell = (message: FromServices) => void process.send?.(message);

const services = await createServices({
  host: 'desktop',
  home,
  version,
  environment: process.env,
  cipher: null,
  systemProxy: null,
  openExternal: async (url) => tell({ kind: 'open', url }),
  onRun: (run) => tell({ kind: 'run', run, state: getState() }),
  log: (line) => tell({ kind: 'log', line }),
});

function getState(): MirroredState {
  return {
    activeRuns: services.engine.active(),
    waitingCount: services.comparisons.waitingCount(),
    recordingCount: services.media.recordingCount(),
    unfinishedCount: services.countUnfinished(),
    settings: services.settings.get(),
  };
}
services.changes.listen(({ topic }) => tell({ kind: 'changed', topic, state: getState() }));

const ipcMain = new EventEmitter();
const pages = new Map<number, MessagePort>();
servePorts(ipcMain as unknown as IpcMain, createRouter(services), services.log, {
  onConnected: () => undefined,
});

function openPort(id: number): void {
  const { port1, port2 } = new MessageChannel();
  pages.set(id, port1);
  port1.on('message', (text: string) => tell({ kind: 'port message', port: id, text }));
  port1.on('close', () => {
    pages.delete(id);
    tell({ kind: 'port closed', port: id });
  });
  const ports = [new StandInMessagePort(port2)];
  ipcMain.emit(CONNECT_CHANNEL, { type: 'frame', ports, senderFrame: new StandInFrame(PAGE_URL) });
}

process.on('message', (message: ToServices) => {
  switch (message.kind) {
    case 'say':
      return services.system.say(message.slot, message.notice);
    case 'open link':
      return void services.system.openExternal(message.url).catch(() => undefined);
    case 'settle download':
      return void services.backups.settleDownload(message.id, message.outcome);
    case 'leave downloads':
      return services.backups.leaveDownloads();
    case 'leave recordings':
      return services.media.leaveRecordings();
    case 'flush':
      return services.ledger.flush();
    case 'wake':
      return services.wake();
    case 'close':
      return void services.close().finally(() => process.exit(0));
    case 'port opened':
      return openPort(message.port);
    case 'port message':
      return pages.get(message.port)?.postMessage(message.text);
    case 'port closed':
      return pages.get(message.port)?.close();
  }
});
process.on('disconnect', () => void services.close().finally(() => process.exit(0)));

const media = createMediaHandler(createMediaRoutes(services.media, services.log, services.backups));
const server = createServer((request, response) => media(request, response));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
tell({ kind: 'ready', address: `http://127.0.0.1:${port}`, state: getState() });
