// Before anything is drawn: the look and the density that were chosen on this machine, so that nothing flashes in another one.
(() => {
  const root = document.documentElement;
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
  root.setAttribute('data-density', localStorage.getItem('sandlot-density') === '"compact"' ? 'compact' : 'comfortable');
})();

// A browser gives up what it is loading when a network of this machine comes or goes, as one does with a sandbox: the page's own look is
// asked for again then, a few times.
(() => {
  let triesLeft = 5;
  const retry = ({ target: sheet }) => {
    if (!(sheet instanceof HTMLLinkElement) || sheet.rel !== 'stylesheet' || triesLeft === 0) return;
    triesLeft -= 1;
    setTimeout(() => sheet.replaceWith(sheet.cloneNode()), 200);
  };
  // It does not bubble.
  addEventListener('error', retry, true);
})();
