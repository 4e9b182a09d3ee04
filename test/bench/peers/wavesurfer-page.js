/** Fetches, decodes and draws an audio file's waveform with wavesurfer. */
import WaveSurfer from 'wavesurfer.js';

/** Resolves with the milliseconds until the waveform is drawn, and the duration in `seconds`. */
window.drawSound = async (url) => {
  const container = document.createElement('div');
  container.style.width = '600px';
  document.body.replaceChildren(container);
  const startedAt = performance.now();
  const wavesurfer = WaveSurfer.create({ container, url, height: 64 });
  await new Promise((resolve, reject) => {
    wavesurfer.once('redrawcomplete', () => {
      if (wavesurfer.getDecodedData() !== null) resolve();
      else wavesurfer.once('redrawcomplete', resolve);
    });
    wavesurfer.once('error', reject);
  });
  const ms = performance.now() - startedAt;
  const seconds = wavesurfer.getDecodedData()?.duration ?? 0;
  wavesurfer.destroy();
  return { ms, seconds };
};
