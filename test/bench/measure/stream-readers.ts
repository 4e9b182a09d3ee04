/**
 * Compares Gatehouse with a handwritten loop and the peers. Each reader resolves to the whole text.
 */
import { request } from 'node:http';

type ReadStream = (baseUrl: string) => Promise<string>;

interface PeerReaders {
  readWithOpenai: ReadStream;
  readWithAiSdk: ReadStream;
}

/** Loads the peers' readers, which `npm run bench` installs. */
export function loadPeerReaders(): Promise<PeerReaders> {
  return import(new URL('../peers/stream-readers.js', import.meta.url).href);
}

/**
 * Reads with a handwritten loop that splits and parses events, adds up the text and stores nothing.
 */
export function readByHand(baseUrl: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let rest = '';
    const sent = request(`${baseUrl}/chat/completions`, { method: 'POST' }, (response) => {
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        rest += piece;
        let from = 0;
        for (let at = rest.indexOf('\n\n'); at !== -1; at = rest.indexOf('\n\n', from)) {
          const data = rest.slice(from + 'data: '.length, at);
          from = at + 2;
          if (data !== '[DONE]') text += JSON.parse(data).choices[0].delta.content;
        }
        rest = rest.slice(from);
      });
      response.on('end', () => resolve(text));
    });
    sent.on('error', reject);
    sent.end('{}');
  });
}
