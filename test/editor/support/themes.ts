export type ThemeName = 'light' | 'dark' | 'hc';

interface Theme {
  /** Value of `workbench.colorTheme`. */
  readonly id: string;
  /** How the theme picker words it. */
  readonly pickerLabel: string;
  /** What the workbench element carries while the theme is on. */
  readonly workbenchClass: string;
}

export const themes: Readonly<Record<ThemeName, Theme>> = {
  light: { id: 'Light Modern', pickerLabel: 'Light Modern', workbenchClass: 'vs' },
  dark: { id: 'Dark Modern', pickerLabel: 'Dark Modern', workbenchClass: 'vs-dark' },
  hc: { id: 'Default High Contrast', pickerLabel: 'Dark High Contrast', workbenchClass: 'hc-black' },
};
