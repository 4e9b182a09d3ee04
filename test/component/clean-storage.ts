/** Files that share a page share its storage too: each begins with none of what another one left. */
localStorage.clear();
sessionStorage.clear();
