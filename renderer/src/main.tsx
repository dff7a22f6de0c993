// Entry of the window: connects to the host, then draws.
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './ui/tokens.css';
import './ui/base.css';
import './ui/buttons.css';
import './ui/panel.css';
import './ui/status.css';
import './ui/feedback.css';
import './ui/steps.css';
import './ui/tables.css';
import './ui/stacking.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { connectHost } from './host/client.ts';
import { createAppStore } from './store/store.ts';
import { allowOwnStyles } from './ui/strict-styles.ts';

allowOwnStyles(document);
const root = document.getElementById('root');
if (root) createRoot(root).render(<App store={createAppStore(connectHost())} />);
