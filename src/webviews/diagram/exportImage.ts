import type { DiagramGeometry } from '../diagramLayout/edges.ts';
import { type SceneColors, type Scene, createScene } from '../diagramLayout/scene.ts';
import { fontSize, renderSvg } from '../diagramLayout/svg.ts';
import { t } from '../shared/t.ts';
import type { DiagramHost } from './diagramProps.ts';
import { paintScene } from './paintScene.ts';
import { formatMoreColumns } from './labels.ts';

/** The maximum size of a canvas: pixels along one side, and in total (the limits of Chromium, with a margin). */
const maxSidePixels = 16_000;
const maxPixels = 120_000_000;
const pixelRatio = 2;

/** Creates an image of the whole diagram, and sends it to the host, which asks where to save it. */
export async function exportImage(
  host: DiagramHost,
  format: 'svg' | 'png',
  geometry: DiagramGeometry,
  title: string,
): Promise<void> {
  const labels = { custom: t('custom'), hidden: t('hidden'), secured: t('secured'), formatMoreColumns };
  const scene = createScene(geometry, getThemeColors(), labels);
  const font = getThemeValue('--vscode-font-family', 'sans-serif');
  if (format === 'svg') {
    host.post({ type: 'export', format, data: renderSvg(scene, title, font) });
    return;
  }
  const data = await renderPng(scene, font);
  host.post(data === undefined ? { type: 'exportFailed' } : { type: 'export', format, data });
}

/** Renders a PNG file as base64; `undefined` if the browser cannot create an image of that size. */
async function renderPng(scene: Scene, font: string): Promise<string | undefined> {
  const { width, height } = scene.bounds;
  const scale = Math.min(
    pixelRatio,
    maxSidePixels / Math.max(width, height),
    Math.sqrt(maxPixels / (width * height)),
  );
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(width * scale));
  canvas.height = Math.max(1, Math.floor(height * scale));
  const context = canvas.getContext('2d');
  if (context === null) {
    return undefined;
  }
  context.scale(scale, scale);
  paintScene(context, scene, { size: fontSize, family: font });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob === null ? undefined : toBase64(blob);
}

async function toBase64(blob: Blob): Promise<string> {
  const reader = new FileReader();
  await new Promise((resolve, reject) => {
    reader.addEventListener('load', resolve);
    reader.addEventListener('error', () => reject(reader.error ?? new Error("Can't read the image")));
    reader.readAsDataURL(blob);
  });
  return typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : '';
}

/** Reads the current value of a CSS variable of the theme. */
function getThemeValue(name: string, fallback: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return value === '' ? fallback : value;
}

function getThemeColors(): SceneColors {
  const text = getThemeValue('--vscode-foreground', '#000000');
  const background = getThemeValue('--vscode-editor-background', '#ffffff');
  const border = getThemeValue('--vscode-contrastBorder', getThemeValue('--vscode-panel-border', text));
  return {
    background,
    text,
    box: getThemeValue('--vscode-editorWidget-background', background),
    header: getThemeValue('--vscode-editorGroupHeader-tabsBackground', background),
    border,
    muted: getThemeValue('--vscode-descriptionForeground', text),
    line: getThemeValue('--vscode-descriptionForeground', text),
    accent: getThemeValue('--vscode-focusBorder', text),
  };
}
