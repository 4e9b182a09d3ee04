/** What a page with formulas loads: KaTeX, its styles and fonts, and copying as LaTeX. */
import katex from 'katex';
import 'katex/contrib/copy-tex';
import 'katex/dist/katex.min.css';

export { katex };
