// Sandlot's look on Mantine: dense controls, warm neutrals, one cobalt accent. Colours themselves are in tokens.css.
import { Badge, Button, type CSSVariablesResolver, createTheme, Menu, Modal, SegmentedControl, Switch, Tabs, Tooltip } from '@mantine/core';

/** Told to the window whenever a dialog is gone. */
export const dialogClosed = 'sandlot-dialog-closed';

/** The theme of every Mantine piece in the app. */
export const theme = createTheme({
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  primaryColor: 'cobalt',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  colors: {
    cobalt: ['#eef2ff', '#dfe6fd', '#bccbfa', '#97adf6', '#7893f2', '#6482f0', '#4763d8', '#2f54c8', '#2747ad', '#1e3a93'],
    dark: ['#ecebe7', '#b7b3ab', '#99958d', '#5b5852', '#3d3b37', '#2b2a27', '#1f1f1d', '#181817', '#141413', '#0e0e0d'],
  },
  defaultRadius: 6,
  fontSizes: { xs: '12px', sm: '13px', md: '13.5px', lg: '15px', xl: '18px' },
  headings: { fontFamily: 'var(--font)', fontWeight: '600' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Labels are never cut: neither is their control squeezed by its neighbours, nor do the parts of one share their room evenly.
    Button: Button.extend({
      defaultProps: { size: 'xs' },
      styles: { root: { fontWeight: 550, flexShrink: 0 }, label: { overflow: 'visible' } },
    }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', size: 'sm' } }),
    // The first item has the focus at once: a thing to hold it before would be a child that no menu may have.
    Menu: Menu.extend({ defaultProps: { shadow: 'md', position: 'bottom-end', withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { 'aria-label': 'Close' },
        onExitTransitionEnd: () => void window.dispatchEvent(new Event(dialogClosed)),
      },
      styles: { title: { fontWeight: 600, lineHeight: 1.35, overflowWrap: 'anywhere', minWidth: 0 } },
    }),
    SegmentedControl: SegmentedControl.extend({
      defaultProps: { size: 'xs' },
      styles: {
        root: { flexShrink: 0 },
        control: { flex: '1 0 auto' },
        label: { overflow: 'visible', paddingInline: 10 },
        innerLabel: { overflow: 'visible' },
      },
    }),
    Switch: Switch.extend({ defaultProps: { size: 'sm' }, styles: { description: { fontSize: 12 } } }),
    InputWrapper: { styles: { description: { fontSize: 12 } } },
    Tabs: Tabs.extend({ defaultProps: { keepMounted: false } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 350, withArrow: true } }),
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' }, withBorder: true } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } },
    TextInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs' } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    Autocomplete: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    TagsInput: { defaultProps: { size: 'xs' } },
  },
});

const shared = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-2)',
  '--mantine-color-default': 'var(--raised)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-disabled': 'var(--hover)',
  '--mantine-color-disabled-color': 'var(--text-3)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-color-gray-light-color': 'var(--text-2)',
  '--mantine-color-gray-light-hover': 'var(--hover)',
};

/** Lets Mantine's own variables follow tokens.css. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });
