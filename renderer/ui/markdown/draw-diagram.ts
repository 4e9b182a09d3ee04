/**
 * Draws Mermaid diagrams as SVG images. Models write them, so the page only shows them as images,
 * which run no scripts and load no URLs. Colors are hex because Mermaid can't read OKLCH.
 */
import mermaid from 'mermaid';
import styles from './markdown.module.css';

export interface Diagram {
  url: string;
  width: number;
  height: number;
  /** The title and description that the diagram states, or null. */
  description: string | null;
}

const ID = 'diagram';
/** An image can't use the page's fonts. */
const fontFamily = 'system-ui, sans-serif';

const light = {
  background: '#ffffff',
  primaryColor: '#eceefb',
  primaryTextColor: '#1c1f27',
  primaryBorderColor: '#8d93c9',
  secondaryColor: '#e4f2ea',
  tertiaryColor: '#f6f7f9',
  tertiaryBorderColor: '#c3c7d1',
  lineColor: '#565b69',
  textColor: '#1c1f27',
  noteBkgColor: '#fdf3d8',
  noteTextColor: '#1c1f27',
  noteBorderColor: '#d3b25d',
  edgeLabelBackground: '#ffffff',
  pieStrokeColor: '#8d93c9',
  pieOuterStrokeColor: '#8d93c9',
};

const dark = {
  background: '#15171c',
  primaryColor: '#2a2e45',
  primaryTextColor: '#e9eaee',
  primaryBorderColor: '#7a82c4',
  secondaryColor: '#24382e',
  tertiaryColor: '#1e2127',
  tertiaryBorderColor: '#474c58',
  lineColor: '#a3a8b5',
  textColor: '#e9eaee',
  noteBkgColor: '#3b331d',
  noteTextColor: '#e9eaee',
  noteBorderColor: '#8a7434',
  edgeLabelBackground: '#15171c',
  pieStrokeColor: '#7a82c4',
  pieOuterStrokeColor: '#7a82c4',
  // Colors that Mermaid derives would be black on black.
  cScale0: '#4a5192',
  cScale1: '#31614b',
  cScale2: '#6b5526',
  cScale3: '#6a3d4f',
  cScale4: '#2f5a6e',
  cScale5: '#55436f',
  cScaleLabel0: '#e9eaee',
  cScaleLabel1: '#e9eaee',
  cScaleLabel2: '#e9eaee',
  cScaleLabel3: '#e9eaee',
  cScaleLabel4: '#e9eaee',
  cScaleLabel5: '#e9eaee',
};

/** Mermaid's configuration and the measured styles are global, so only one diagram is drawn at a time. */
let queue: Promise<unknown> = Promise.resolve();

/** Rejects with the parser's error if the source isn't valid. */
export function drawDiagram(source: string, isDark: boolean): Promise<Diagram> {
  const drawn = queue.then(() => draw(source, isDark));
  queue = drawn.catch(() => undefined);
  return drawn;
}

async function draw(source: string, isDark: boolean): Promise<Diagram> {
  mermaid.initialize({
    startOnLoad: false,
    layout: 'dagre',
    securityLevel: 'strict',
    htmlLabels: false,
    suppressErrorRendering: true,
    theme: 'base',
    darkMode: isDark,
    themeVariables: { ...(isDark ? dark : light), darkMode: isDark, fontFamily },
    fontFamily,
    // A diagram can't change these settings.
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'maxEdges',
      'suppressErrorRendering',
      'htmlLabels',
      'fontFamily',
      'themeCSS',
      'layout',
    ],
  });
  const container = document.createElement('div');
  container.className = styles.diagramDraft ?? '';
  container.ariaHidden = 'true';
  document.body.append(container);
  const sheet = new CSSStyleSheet();
  try {
    const draft = parseSvg((await mermaid.render(ID, source, container)).svg);
    // The CSP blocks the styles that Mermaid measures with, but allows constructed style sheets, so
    // a second pass measures with the styles of the first.
    sheet.replaceSync(draft.querySelector('style')?.textContent ?? '');
    document.adoptedStyleSheets.push(sheet);
    return toImage(parseSvg((await mermaid.render(ID, source, container)).svg));
  } finally {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    container.remove();
  }
}

/** Parses Mermaid's HTML output in a document that runs and loads nothing. */
function parseSvg(text: string): SVGSVGElement {
  const svg = new DOMParser().parseFromString(text, 'text/html').querySelector('svg');
  if (svg === null) throw new Error('The diagram is empty.');
  return svg;
}

function toImage(svg: SVGSVGElement): Diagram {
  const [, , width = 0, height = 0] = (svg.getAttribute('viewBox') ?? '')
    .split(/[\s,]+/)
    .map(Number);
  if (!(width > 0 && height > 0)) throw new Error('The diagram is empty.');
  // An image ignores links, but a saved one would follow them.
  for (const link of svg.querySelectorAll('a')) link.replaceWith(...link.childNodes);
  const size = { width: Math.ceil(width), height: Math.ceil(height) };
  svg.setAttribute('width', String(size.width));
  svg.setAttribute('height', String(size.height));
  const stated = [...svg.querySelectorAll(':scope > title, :scope > desc')]
    .map(({ textContent }) => textContent.trim())
    .filter((text) => text !== '');
  const text = new XMLSerializer().serializeToString(svg);
  return {
    ...size,
    url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`,
    description: stated.length > 0 ? stated.join('. ') : null,
  };
}
