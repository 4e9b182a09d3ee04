import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { Markdown } from '../../renderer/ui/markdown/markdown.tsx';
import { RemoteImagesContext } from '../../renderer/ui/markdown/remote-image.tsx';

const attacks = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '<svg onload="window.hacked = 1"></svg>',
  'text <iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>',
  '[click](javascript:window.hacked=1)',
  '[click](java&#10;script:window.hacked=1)',
  '[click](&#106;avascript:window.hacked=1)',
  '[click](data:text/html,<script>1</script>)',
  '![x](javascript:window.hacked=1)',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '[x]: javascript:window.hacked=1\n\n[x]',
  '<javascript:window.hacked=1>',
  '<a href="javascript:window.hacked=1">x</a>',
  '| <img src=x onerror=window.hacked=1> |\n|---|\n| <script>1</script> |',
  '```html\n<script>window.hacked = 1</script>\n```',
  '```"><img src=x onerror=window.hacked=1>\ncode\n```',
  '`<img src=x onerror=window.hacked=1>`',
  '> <form action="javascript:1"><button>x</button></form>',
];

it.each(attacks)('keeps hostile Markdown inert: %s', async (text) => {
  const { container } = await render(<Markdown text={text} />);
  const { container: open } = await render(<Markdown text={text} streaming />);
  for (const root of [container, open]) {
    expect(root.querySelectorAll('script, iframe, svg, form, object, style, img').length).toBe(0);
    for (const element of root.querySelectorAll('*')) {
      for (const name of element.getAttributeNames()) expect(name).not.toMatch(/^on/);
    }
    for (const link of root.querySelectorAll('a')) {
      expect(link.protocol).toMatch(/^(https?|mailto):$/);
    }
  }
  expect(window).not.toHaveProperty('hacked');
});

it('renders HTML as text', async () => {
  const screen = await render(<Markdown text={'<b onclick="x">bold</b> and <br>'} />);
  await expect.element(screen.getByText('<b onclick="x">bold</b> and <br>')).toBeVisible();
});

it('asks before fetching an image, naming its host, and fetches it in the main process', async () => {
  const requests: string[] = [];
  const fetchImage = (url: string) => {
    requests.push(url);
    return Promise.reject(new Error('127.0.0.1:9 returned 404 instead of the image.'));
  };
  const screen = await render(
    <RemoteImagesContext value={{ fetchImage, showImage: (_, title) => <img alt={title} /> }}>
      <Markdown text={'![a cat](http://127.0.0.1:9/cat.png?x=1)'} />
    </RemoteImagesContext>,
  );
  expect(requests).toEqual([]);
  await screen.getByRole('button', { name: 'Load image from 127.0.0.1:9' }).click();
  await expect.element(screen.getByText(/returned 404 instead of the image/)).toBeVisible();
  expect(requests).toEqual(['http://127.0.0.1:9/cat.png?x=1']);
  expect(screen.container.querySelector('img')).toBeNull();
});

it('shows the URL if images can’t be fetched', async () => {
  const screen = await render(<Markdown text={'![a cat](http://127.0.0.1:9/cat.png)'} />);
  await expect.element(screen.getByText(/http:\/\/127\.0\.0\.1:9\/cat\.png/)).toBeVisible();
  expect(screen.container.querySelector('img')).toBeNull();
});

it('opens links in a new tab that can’t access the page', async () => {
  const screen = await render(<Markdown text="[docs](https://example.com/docs)" />);
  const link = screen.getByRole('link', { name: 'docs' }).element();
  expect(link.getAttribute('target')).toBe('_blank');
  expect(link.getAttribute('rel')).toBe('noopener noreferrer');
});
