// Before anything is drawn: the look and the density that were chosen on this machine, so that nothing flashes in another one.
(() => {
  const root = document.documentElement;
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
  root.setAttribute('data-density', localStorage.getItem('sandlot-density') === '"compact"' ? 'compact' : 'comfortable');
})();
