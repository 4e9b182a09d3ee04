import { describe, expect, it } from 'vitest';
import { decodeEntities } from '../../renderer/ui/markdown/entities.ts';
import { readImageSource } from '../../renderer/ui/markdown/image-source.ts';
import { sanitizeLink } from '../../shared/outside-link.ts';

describe('links of an answer', () => {
  it.each(['https://e.com/a', 'http://e.com/', 'mailto:a@e.com'])('opens %s', (href) => {
    expect(sanitizeLink(href)).toBe(href);
  });

  it.each([
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'app://gatehouse/',
    '/relative',
    '//e.com',
    '#here',
    '',
  ])('doesn’t link %j', (href) => {
    expect(sanitizeLink(href)).toBeNull();
  });
});

it.each([
  ['https://e.com/i.png?d=secret', { kind: 'remote', host: 'e.com' }],
  ['data:image/png;base64,aGk=', { kind: 'inline' }],
  ['data:image/svg+xml;base64,aGk=', { kind: 'dead' }],
  ['javascript:alert(1)', { kind: 'dead' }],
])(
  'shows the image %s only if it is a bitmap, and asks before fetching a remote one',
  (source, expected) => {
    expect(readImageSource(source)).toMatchObject(expected);
  },
);

describe('character references', () => {
  it.each([
    ['a &amp; b', 'a & b'],
    ['&lt;b&gt; &#39;x&#x27;', "<b> 'x'"],
    ['&NotEqualTilde; &CounterClockwiseContourIntegral;', '≂̸ ∳'],
    ['&unknown; &constructor;', '&unknown; &constructor;'],
    ['&#0; &#xD800;', '\ufffd \ufffd'],
    ['AT&T', 'AT&T'],
  ])('decodes %j to %j', (text, decoded) => {
    expect(decodeEntities(text)).toBe(decoded);
  });
});
