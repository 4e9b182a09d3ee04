/** Licenses of what is compiled into packages' binaries; their own license files don't mention it. */
import { readFileSync } from 'node:fs';

interface Embedded {
  name: string;
  license: string;
  source: string;
  text: () => string;
}

// From the root, where every build runs, because a build bundles this module elsewhere.
const lgpl = () => readFileSync('test/scripts/licenses/LGPL-2.1.txt', 'utf8').trim();
const mpl = () => readFileSync('test/scripts/licenses/MPL-1.1.txt', 'utf8').trim();

const BSD_CONDITIONS = `Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions
are met:

- Redistributions of source code must retain the above copyright
notice, this list of conditions and the following disclaimer.

- Redistributions in binary form must reproduce the above copyright
notice, this list of conditions and the following disclaimer in the
documentation and/or other materials provided with the distribution.

- Neither the name of the copyright holders nor the names of their
contributors may be used to endorse or promote products derived from
this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS
"AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT
LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR
A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT
HOLDERS OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT
LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE,
DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY
THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
(INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`;

/** The text for packages that state this license without its text. */
export function mitLicense(holder: string): string {
  return `Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;
}

/** By package, from its README. */
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
        `Copyright (C) 2000-2009  Josh Coalson\nCopyright (C) 2011-2025  Xiph.Org Foundation\n\n${BSD_CONDITIONS}`,
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
  'mpg123-decoder': [
    { name: 'mpg123', license: 'LGPL-2.1', source: 'https://mpg123.org', text: lgpl },
  ],
  opusscript: [
    {
      name: 'libopus 1.4',
      license: 'BSD-3-Clause',
      source: 'https://opus-codec.org',
      text: () =>
        `Copyright 2001-2023 Xiph.Org, Skype Limited, Octasic, Jean-Marc Valin, Timothy B. Terriberry,\nCSIRO, Gregory Maxwell, Mark Borgerding, Erik de Castro Lopo, Mozilla, Amazon\n\n${BSD_CONDITIONS}`,
    },
  ],
};
