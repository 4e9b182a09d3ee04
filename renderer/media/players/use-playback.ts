import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { createTicker, type Ticker } from './ticker.ts';

export interface Playback extends Ticker {
  playing: boolean;
  /** Renewed a few times a second; `subscribe` tells each animation frame. */
  seconds: number;
  /** Null while it is not known. */
  durationSeconds: number | null;
  failed: boolean;
  toggle(): void;
  pause(): void;
  seek(seconds: number): void;
  /** Pauses again at `untilSeconds`. */
  playFrom(seconds: number, untilSeconds?: number): void;
  setSpeed(speed: number): void;
  setLoop(loop: boolean): void;
}

/** Only one sound at a time. */
let audible: HTMLMediaElement | null = null;

/**
 * Drives an `<audio>` element. `url` may change while it plays, from the growing file to the whole
 * one: that waits for a pause or a jump, so that nobody hears it.
 */
export function usePlayback(
  audio: RefObject<HTMLAudioElement | null>,
  url: string | null,
  autoPlay: boolean,
): Playback {
  const [playing, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [durationSeconds, setDuration] = useState<number | null>(null);
  const [failed, setFailed] = useState(false);
  const nextUrl = useRef<string | null>(null);
  const startAtOnce = useRef(autoPlay);
  const ticker = useMemo(createTicker, []);

  useEffect(() => {
    const element = audio.current;
    if (element === null) return;
    const controller = new AbortController();
    const on = (name: keyof HTMLMediaElementEventMap, listener: () => void) =>
      element.addEventListener(name, listener, { signal: controller.signal });
    const showTime = () => {
      setSeconds(element.currentTime);
      ticker.tick(element.currentTime);
    };
    on('play', () => {
      if (audible !== element) audible?.pause();
      audible = element;
      setPlaying(true);
      ticker.start(element);
    });
    on('pause', () => {
      setPlaying(false);
      ticker.stop();
      showTime();
      if (nextUrl.current !== null) exchangeSource(element, nextUrl.current);
      nextUrl.current = null;
    });
    on('timeupdate', showTime);
    on('seeked', showTime);
    on('durationchange', () => setDuration(finiteOrNull(element.duration)));
    on('loadedmetadata', () => setFailed(false));
    on('error', () => setFailed(element.error !== null));
    return () => {
      controller.abort();
      ticker.stop();
      if (audible === element) audible = null;
      // Also ends the request that fills it.
      element.pause();
      element.removeAttribute('src');
      element.load();
    };
  }, [audio, ticker]);

  useEffect(() => {
    const element = audio.current;
    if (element === null || url === null || element.getAttribute('src') === url) return;
    if (!element.hasAttribute('src')) {
      element.src = url;
      if (startAtOnce.current) start(element);
      startAtOnce.current = false;
    } else if (element.paused) exchangeSource(element, url);
    else nextUrl.current = url;
  }, [audio, url]);

  return useMemo(() => {
    function seek(to: number): void {
      const element = audio.current;
      if (element === null || !element.hasAttribute('src')) return;
      if (nextUrl.current !== null) exchangeSource(element, nextUrl.current);
      nextUrl.current = null;
      const target = Math.max(0, Math.min(to, reachable(element)));
      element.currentTime = target;
      setSeconds(target);
      ticker.tick(target);
    }
    return {
      ...{ playing, seconds, durationSeconds, failed },
      subscribe: ticker.subscribe,
      toggle() {
        const element = audio.current;
        if (element?.paused) start(element);
        else element?.pause();
      },
      pause: () => audio.current?.pause(),
      seek,
      playFrom(from, until) {
        seek(from);
        if (audio.current !== null) start(audio.current);
        ticker.stopAt(until ?? null);
      },
      setSpeed(speed) {
        if (audio.current === null) return;
        // A new source begins at the default rate.
        audio.current.defaultPlaybackRate = speed;
        audio.current.playbackRate = speed;
      },
      setLoop(loop) {
        if (audio.current !== null) audio.current.loop = loop;
      },
    };
  }, [audio, ticker, playing, seconds, durationSeconds, failed]);
}

/** A browser that refuses to start by itself leaves the button for it. */
function start(element: HTMLMediaElement): void {
  element.play().catch(() => undefined);
}

function exchangeSource(element: HTMLMediaElement, url: string): void {
  const { currentTime, paused, ended } = element;
  element.src = url;
  if (!ended) element.currentTime = currentTime;
  if (!paused) start(element);
}

/** A file that still grows can be heard as far as it has come. */
function reachable({ readyState, duration, buffered }: HTMLMediaElement): number {
  // Just begun: the browser goes there once it knows how long it is.
  if (readyState === 0) return Number.POSITIVE_INFINITY;
  if (Number.isFinite(duration)) return duration;
  return buffered.length === 0 ? 0 : buffered.end(buffered.length - 1);
}

function finiteOrNull(seconds: number): number | null {
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
