/** Loads KaTeX with its styles and fonts, and copies formulas as LaTeX. */
import katex from 'katex';
import 'katex/contrib/copy-tex';
import 'katex/dist/katex.min.css';

export { katex };
