import { createStore, type StoreApi } from 'zustand/vanilla';

export type TimeListener = (seconds: number) => void;

export interface SoundState {
  playing: boolean;
  /** Updated a few times a second; `subscribe` reports each animation frame. */
  seconds: number;
  /** Null while it is not known. */
  durationSeconds: number | null;
  failed: boolean;
  /** 1 is natural. */
  speed: number;
  loop: boolean;
}

/** An `<audio>` element, its state and its controls. */
export interface Sound {
  readonly element: HTMLAudioElement;
  readonly store: StoreApi<SoundState>;
  /** The position, each animation frame while it plays and after each jump. Returns the function that ends it. */
  subscribe(listener: TimeListener): () => void;
  /** Seconds, at this moment. */
  position(): number;
  /** From the growing file to the whole one: that waits for a pause or a jump, so that it is inaudible. */
  setSource(url: string): void;
  play(): void;
  /** Pauses at `to`, unless the user jumps or pauses before. Seconds. */
  playStretch(from: number, to: number): void;
  pause(): void;
  toggle(): void;
  /** Keeps playing, or stays paused. */
  seek(seconds: number): void;
  setSpeed(speed: number): void;
  setLoop(loop: boolean): void;
  /** 0 to 1, of the volume that the system has. */
  setVolume(volume: number): void;
  /** Also ends the request that fills it. A new source wakes it again. */
  silence(): void;
}

const atRest: SoundState = {
  playing: false,
  seconds: 0,
  durationSeconds: null,
  failed: false,
  speed: 1,
  loop: false,
};

/** Only one sound at a time. */
let audible: HTMLMediaElement | null = null;

export function createSound(title: string, preload: 'metadata' | 'none' = 'metadata'): Sound {
  const element = document.createElement('audio');
  element.preload = preload;
  element.setAttribute('aria-label', title);
  const store = createStore<SoundState>(() => atRest);
  const listeners = new Set<TimeListener>();
  let frame = 0;
  let nextUrl: string | null = null;
  let stopAt: number | null = null;

  function showTime(): void {
    store.setState({ seconds: element.currentTime });
    notify(element.currentTime);
  }

  function notify(seconds: number): void {
    if (stopAt !== null && seconds >= stopAt && !element.paused) element.pause();
    for (const listener of listeners) listener(seconds);
  }

  function tick(): void {
    if (element.paused) return;
    notify(element.currentTime);
    frame = requestAnimationFrame(tick);
  }

  function exchangeSource(): void {
    if (nextUrl === null) return;
    const { currentTime, paused, ended } = element;
    element.src = nextUrl;
    nextUrl = null;
    if (!ended) element.currentTime = currentTime;
    if (!paused) start(element);
  }

  function seek(to: number): void {
    if (!element.hasAttribute('src')) return;
    exchangeSource();
    stopAt = null;
    const target = Math.max(0, Math.min(to, reachable(element)));
    element.currentTime = target;
    store.setState({ seconds: target });
    notify(target);
  }

  element.addEventListener('play', () => {
    if (audible !== element) audible?.pause();
    audible = element;
    store.setState({ playing: true });
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(tick);
  });
  element.addEventListener('pause', () => {
    stopAt = null;
    cancelAnimationFrame(frame);
    store.setState({ playing: false });
    showTime();
    exchangeSource();
  });
  element.addEventListener('timeupdate', showTime);
  element.addEventListener('seeked', showTime);
  element.addEventListener('durationchange', () =>
    store.setState({ durationSeconds: finiteOrNull(element.duration) }),
  );
  element.addEventListener('loadedmetadata', () => store.setState({ failed: false }));
  element.addEventListener('error', () => {
    if (element.error === null) return;
    // The stream of a growing file broke; what is stored by now is whole.
    if (nextUrl !== null) exchangeSource();
    else store.setState({ failed: true, playing: false });
  });

  return {
    element,
    store,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    position: () => element.currentTime,
    setSource(url) {
      const current = element.getAttribute('src');
      if (current === url) return;
      if (current === null) {
        element.src = url;
        return;
      }
      nextUrl = url;
      if (element.paused || element.error !== null) exchangeSource();
    },
    play: () => start(element),
    playStretch(from, to) {
      seek(from);
      stopAt = to;
      start(element);
    },
    pause: () => element.pause(),
    setVolume(volume) {
      element.volume = Math.max(0, Math.min(1, volume));
    },
    toggle() {
      if (store.getState().playing) element.pause();
      else start(element);
    },
    seek,
    setSpeed(speed) {
      // A new source begins at the default rate.
      element.defaultPlaybackRate = speed;
      element.playbackRate = speed;
      store.setState({ speed });
    },
    setLoop(loop) {
      element.loop = loop;
      store.setState({ loop });
    },
    silence() {
      cancelAnimationFrame(frame);
      if (audible === element) audible = null;
      nextUrl = null;
      element.pause();
      element.removeAttribute('src');
      element.load();
    },
  };
}

/** A browser that refuses to start by itself leaves the button for it. */
function start(element: HTMLMediaElement): void {
  element.play().catch(() => undefined);
}

/** A file that still grows is playable as far as it has arrived. */
function reachable({ readyState, duration, buffered }: HTMLMediaElement): number {
  // Just begun: the browser goes there once it knows how long it is.
  if (readyState === 0) return Number.POSITIVE_INFINITY;
  if (Number.isFinite(duration)) return duration;
  return buffered.length === 0 ? 0 : buffered.end(buffered.length - 1);
}

function finiteOrNull(seconds: number): number | null {
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
