import { escapeXml } from '../../base/escapeXml.ts';
import { assertNever } from '../../base/assertNever.ts';
import type { Scene, SceneShape } from './scene.ts';

export const fontSize = 13;
const dotRadius = 3;

/**
 * Renders the diagram as the text of a self-contained SVG file: colors are inlined, and all names are escaped.
 */
export function renderSvg({ bounds, background, shapes }: Scene, title: string, fontFamily: string): string {
  const { x, y, width, height } = bounds;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}"`,
    ` font-family="${escapeXml(fontFamily)}" font-size="${fontSize}" role="img" aria-label="${escapeXml(title)}">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${escapeXml(background)}"/>`,
    ...shapes.map(renderElement),
    '</svg>\n',
  ].join('\n');
}

function renderElement(shape: SceneShape): string {
  switch (shape.kind) {
    case 'box': {
      const stroke = shape.stroke === undefined ? '' : ` stroke="${escapeXml(shape.stroke)}"`;
      const dashes = shape.isDashed === true ? ' stroke-dasharray="4 3"' : '';
      return `<rect x="${shape.x}" y="${shape.y}" width="${shape.width}" height="${shape.height}" rx="3" fill="${escapeXml(shape.fill)}"${stroke}${dashes}/>`;
    }
    case 'path':
      return `<path d="${shape.d}" fill="none" stroke="${escapeXml(shape.stroke)}" stroke-width="1.5"/>`;
    case 'dot':
      return `<circle cx="${shape.x}" cy="${shape.y}" r="${dotRadius}" fill="${escapeXml(shape.fill)}"/>`;
    case 'text':
      return renderText(shape);
    default:
      return assertNever(shape);
  }
}

/** Renders a text in an inner `svg` element, which clips it to its width. */
function renderText(shape: Extract<SceneShape, { kind: 'text' }>): string {
  if (shape.text === '' || shape.width <= 0) {
    return '';
  }
  const left = shape.isRightAligned === true ? shape.x - shape.width : shape.x;
  const position = shape.isRightAligned === true ? ` x="${shape.width}" text-anchor="end"` : ' x="0"';
  const style = `${shape.isBold === true ? ' font-weight="600"' : ''}${shape.isItalic === true ? ' font-style="italic"' : ''}`;
  const inner = `<text${position} y="${fontSize}"${style} fill="${escapeXml(shape.fill)}">${escapeXml(shape.text)}</text>`;
  return `<svg x="${left}" y="${shape.y - fontSize}" width="${shape.width}" height="${fontSize * 1.5}">${inner}</svg>`;
}
