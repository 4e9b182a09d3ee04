import { describe, expect, it } from 'vitest';
import { decodeEntities } from '../../renderer/ui/markdown/entities.ts';
import { imageSource, safeLink } from '../../renderer/ui/markdown/safe-links.ts';

describe('links of an answer', () => {
  it.each(['https://e.com/a', 'http://e.com/', 'mailto:a@e.com'])('open %s', (href) => {
    expect(safeLink(href)).toBe(href);
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
  ])('leave %j dead', (href) => {
    expect(safeLink(href)).toBeNull();
  });
});

describe('images of an answer', () => {
  it('are remote if they need a request', () => {
    expect(imageSource('https://e.com/i.png?d=secret')).toMatchObject({
      kind: 'remote',
      host: 'e.com',
    });
  });

  it('are inline only as bitmaps', () => {
    expect(imageSource('data:image/png;base64,aGk=').kind).toBe('inline');
    expect(imageSource('data:image/svg+xml;base64,aGk=').kind).toBe('dead');
    expect(imageSource('javascript:alert(1)').kind).toBe('dead');
  });
});

describe('character references', () => {
  it.each([
    ['a &amp; b', 'a & b'],
    ['&lt;b&gt; &#39;x&#x27;', "<b> 'x'"],
    ['&unknown; &constructor;', '&unknown; &constructor;'],
    ['&#0; &#xD800;', '\ufffd \ufffd'],
    ['AT&T', 'AT&T'],
  ])('turn %j into %j', (text, decoded) => {
    expect(decodeEntities(text)).toBe(decoded);
  });
});
