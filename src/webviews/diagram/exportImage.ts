import type { Picture } from '../diagramLayout/edges.ts';
import { type Colours, type Scene, scene } from '../diagramLayout/scene.ts';
import { fontSize, svg } from '../diagramLayout/svg.ts';
import { t } from '../shared/t.ts';
import type { DiagramHost } from './view.ts';
import { paint } from './paint.ts';
import { moreColumns } from './words.ts';

/** What a browser draws at most: pixels along one side, and all of them (Chromium's limits, with room to spare). */
const mostAlong = 16_000;
const mostPixels = 120_000_000;
const sharp = 2;

/** Hands the whole picture to the host, which asks where to save it. */
export async function exportImage(
  host: DiagramHost,
  format: 'svg' | 'png',
  picture: Picture,
  title: string,
): Promise<void> {
  const words = { custom: t('custom'), hidden: t('hidden'), secured: t('secured'), more: moreColumns };
  const drawn = scene(picture, themeColours(), words);
  const font = themeValue('--vscode-font-family', 'sans-serif');
  if (format === 'svg') {
    host.post({ type: 'export', format, data: svg(drawn, title, font) });
    return;
  }
  const data = await png(drawn, font);
  host.post(data === undefined ? { type: 'exportFailed' } : { type: 'export', format, data });
}

/** The bytes of a PNG in base64; `undefined` where the browser cannot make one of that size. */
async function png(drawn: Scene, font: string): Promise<string | undefined> {
  const { width, height } = drawn.bounds;
  const scale = Math.min(
    sharp,
    mostAlong / Math.max(width, height),
    Math.sqrt(mostPixels / (width * height)),
  );
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(width * scale));
  canvas.height = Math.max(1, Math.floor(height * scale));
  const context = canvas.getContext('2d');
  if (context === null) {
    return undefined;
  }
  context.scale(scale, scale);
  paint(context, drawn, { size: fontSize, family: font });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob === null ? undefined : base64(blob);
}

async function base64(blob: Blob): Promise<string> {
  const reader = new FileReader();
  await new Promise((resolve, reject) => {
    reader.addEventListener('load', resolve);
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The picture cannot be read')));
    reader.readAsDataURL(blob);
  });
  return typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : '';
}

/** A variable of the theme, as it is now. */
function themeValue(name: string, fallback: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return value === '' ? fallback : value;
}

function themeColours(): Colours {
  const text = themeValue('--vscode-foreground', '#000000');
  const background = themeValue('--vscode-editor-background', '#ffffff');
  const border = themeValue('--vscode-contrastBorder', themeValue('--vscode-panel-border', text));
  return {
    background,
    text,
    box: themeValue('--vscode-editorWidget-background', background),
    header: themeValue('--vscode-editorGroupHeader-tabsBackground', background),
    border,
    muted: themeValue('--vscode-descriptionForeground', text),
    line: themeValue('--vscode-descriptionForeground', text),
    accent: themeValue('--vscode-focusBorder', text),
  };
}
