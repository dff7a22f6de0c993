// The only way out of the app: a link in a log or a terminal. Output of a sandbox is not trusted, so it is shown and asked first.
import { confirm } from './confirm.tsx';
import { notifyNotice } from './notify.tsx';

/** Opens an https address in the system's browser after a question; any other scheme is refused. */
export const openExternal = (address: string): void => {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:') {
    notifyNotice('warning', `Sandlot opens only https links. This one was not opened: ${address.slice(0, 200)}`);
    return;
  }
  confirm({
    title: 'Open this link in your browser?',
    body: (
      <>
        <p style={{ margin: 0 }}>It was printed inside a sandbox, so check where it leads.</p>
        <p className="mono" style={{ margin: 0, overflowWrap: 'anywhere' }}>
          {url.href}
        </p>
      </>
    ),
    confirm: `Open ${url.hostname}`,
    onConfirm: () => void window.open(url.href, '_blank', 'noopener,noreferrer'),
  });
};
