/** Does the minimum work that a React page can do. */
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const place = document.body.appendChild(document.createElement('div'));
createRoot(place).render(createElement('p', null, 'Ready'));
