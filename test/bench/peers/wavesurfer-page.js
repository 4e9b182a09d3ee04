/** A sound's outline as wavesurfer makes it by itself: fetched, decoded and drawn. */
import WaveSurfer from 'wavesurfer.js';

/** Milliseconds until it is drawn; `seconds` as it was decoded. */
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
