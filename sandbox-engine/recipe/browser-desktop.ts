// What the catalog's desktop is made of, beyond Debian: a screen that is a server at once, a window manager, a panel, and Chromium with
// settings that no profile undoes. How it is started in a session is the session room's business.
// Source: NETWORK.md 1.5; Chromium's enterprise policies; Debian's /etc/chromium.d.

const asFile = (path: string, text: string): string =>
  `mkdir -p ${path.slice(0, path.lastIndexOf('/'))} && cat > ${path} <<'SANDLOT'\n${text}\nSANDLOT`;

/** A hidden name is refused by every network policy, and Chromium hides one, or pretends to, unless it is told not to: no Encrypted Client
 *  Hello, no names over HTTPS, no UDP. The rest keeps it from calling home, which a closed network would only answer with refusals. */
const chromiumPolicy = {
  EncryptedClientHelloEnabled: false,
  DnsOverHttpsMode: 'off',
  QuicAllowed: false,
  BackgroundModeEnabled: false,
  BrowserSignin: 0,
  CommandLineFlagSecurityWarningsEnabled: false,
  ComponentUpdatesEnabled: false,
  DefaultBrowserSettingEnabled: false,
  MetricsReportingEnabled: false,
  NetworkPredictionOptions: 2,
  NewTabPageLocation: 'about:blank',
  PromotionsEnabled: false,
  SafeBrowsingProtectionLevel: 0,
  SearchSuggestEnabled: false,
  SpellcheckEnabled: false,
  SyncDisabled: true,
  TranslateEnabled: false,
};

/** Its own sandbox needs namespaces of its own, which neither a runtime's profile nor ours lets a container make: ours is around it. */
const chromiumFlags = 'export CHROMIUM_FLAGS="$CHROMIUM_FLAGS --no-sandbox --no-first-run --start-maximized --password-store=basic"';

const panel = `panel_items = LTC
panel_size = 100% 34
panel_padding = 6 3 8
panel_background_id = 1
rounded = 0
border_width = 0
background_color = #1b2028 100
rounded = 4
border_width = 0
background_color = #323a46 100
taskbar_padding = 2 2 4
task_text = 1
task_icon = 1
task_centered = 0
task_maximum_size = 220 28
task_font = sans 9
task_font_color = #c8d0da 100
task_active_font_color = #ffffff 100
task_background_id = 0
task_active_background_id = 2
task_iconified_font_color = #8a94a2 100
mouse_left = toggle_iconify
launcher_padding = 2 2 8
launcher_icon_size = 22
launcher_item_app = chromium.desktop
launcher_item_app = debian-xterm.desktop
time1_format = %H:%M
time1_font = sans 9
clock_font_color = #c8d0da 100
clock_padding = 6 0`;

/** Its packages of Debian, and the commands after them. */
export const browserDesktop = {
  apt: [
    ...['ca-certificates', 'chromium', 'fonts-dejavu-core', 'fonts-liberation'],
    ...['openbox', 'tint2', 'xterm', 'adwaita-icon-theme'],
    ...['tigervnc-standalone-server', 'x11-xserver-utils', 'xdotool', 'scrot', 'xclip'],
  ],
  commands: [
    { name: 'Chromium policy', run: asFile('/etc/chromium/policies/managed/sandlot.json', JSON.stringify(chromiumPolicy)) },
    { name: 'Chromium flags', run: asFile('/etc/chromium.d/sandlot', chromiumFlags) },
    { name: 'Panel', run: asFile('/etc/xdg/tint2/tint2rc', panel) },
  ],
};
