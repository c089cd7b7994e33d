export type ThemeName = 'light' | 'dark' | 'hc';

interface Theme {
  /** Value of `workbench.colorTheme`. */
  readonly id: string;
  /** The label in the theme picker. */
  readonly pickerLabel: string;
  /** The class of the workbench element while the theme is active. */
  readonly workbenchClass: string;
}

export const themes: Readonly<Record<ThemeName, Theme>> = {
  light: { id: 'Light Modern', pickerLabel: 'Light Modern', workbenchClass: 'vs' },
  dark: { id: 'Dark Modern', pickerLabel: 'Dark Modern', workbenchClass: 'vs-dark' },
  hc: { id: 'Default High Contrast', pickerLabel: 'Dark High Contrast', workbenchClass: 'hc-black' },
};
