/** Passes the page's message port to the main process. */
import { ipcRenderer } from 'electron';
import { CONNECT_CHANNEL } from '../../shared/connect-channel.ts';

window.addEventListener('message', (event) => {
  const [port] = event.ports;
  if (event.source !== window || event.data !== CONNECT_CHANNEL || !port) return;
  ipcRenderer.postMessage(CONNECT_CHANNEL, null, [port]);
});
