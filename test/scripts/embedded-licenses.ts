/** Lists licenses of code compiled into packages' binaries, which their license files omit. */
import { readFileSync } from 'node:fs';

interface Embedded {
  name: string;
  license: string;
  source: string;
  text: () => string;
}

// Resolve paths from the root, where builds run, because a build bundles this module elsewhere.
const read = (name: string) => readFileSync(`test/scripts/licenses/${name}.txt`, 'utf8').trim();
const lgpl = () => read('LGPL-2.1');
const mpl = () => read('MPL-1.1');
const bsd = (holders: string) => `${holders}\n\n${read('BSD-3-Clause')}`;

/** Returns the MIT text for packages that name the license but don't include it. */
export const mitLicense = (holder: string) => `Copyright (c) ${holder}\n\n${read('MIT')}`;

/** Maps each package to the code in its binary, as listed in the package's README. */
export const embedded: Readonly<Record<string, Embedded[]>> = {
  '@mediabunny/aac-encoder': [
    { name: 'FFmpeg', license: 'LGPL-2.1-or-later', source: 'https://ffmpeg.org', text: lgpl },
  ],
  '@mediabunny/flac-encoder': [
    {
      name: 'libFLAC',
      license: 'BSD-3-Clause',
      source: 'https://xiph.org/flac',
      text: () =>
        bsd('Copyright (C) 2000-2009  Josh Coalson\nCopyright (C) 2011-2025  Xiph.Org Foundation'),
    },
  ],
  '@mediabunny/mp3-encoder': [
    {
      name: 'LAME 3.100',
      license: 'LGPL-2.0-or-later',
      source: 'https://lame.sourceforge.io',
      text: lgpl,
    },
  ],
  'h264-mp4-encoder': [
    {
      name: 'libmp4v2',
      license: 'MPL-1.1',
      source: 'https://github.com/TrevorSundberg/libmp4v2',
      text: mpl,
    },
    {
      name: 'minih264',
      license: 'CC0-1.0',
      source: 'https://github.com/lieff/minih264',
      text: () => 'Dedicated to the public domain.',
    },
  ],
  'libheif-js': [
    {
      name: 'libheif and libde265',
      license: 'LGPL-3.0',
      source: 'https://github.com/strukturag/libheif',
      text: () => readFileSync('node_modules/libheif-js/libheif-wasm/LICENSE', 'utf8').trim(),
    },
  ],
  'mpg123-decoder': [
    { name: 'mpg123', license: 'LGPL-2.1', source: 'https://mpg123.org', text: lgpl },
  ],
  opusscript: [
    {
      name: 'libopus 1.4',
      license: 'BSD-3-Clause',
      source: 'https://opus-codec.org',
      text: () =>
        bsd(
          'Copyright 2001-2023 Xiph.Org, Skype Limited, Octasic, Jean-Marc Valin, Timothy B. Terriberry,\nCSIRO, Gregory Maxwell, Mark Borgerding, Erik de Castro Lopo, Mozilla, Amazon',
        ),
    },
  ],
};
