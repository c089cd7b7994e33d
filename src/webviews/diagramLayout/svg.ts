import { assertNever } from '../../base/assertNever.ts';
import type { Scene, Shape } from './scene.ts';

export const fontSize = 13;
const dotRadius = 3;

/**
 * The picture as an SVG file that needs nothing else: colours are written out, and every name is text, whatever it
 * looks like.
 */
export function svg({ bounds, background, shapes }: Scene, title: string, fontFamily: string): string {
  const { x, y, width, height } = bounds;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}"`,
    ` font-family="${escaped(fontFamily)}" font-size="${fontSize}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${escaped(background)}"/>`,
    ...shapes.map(element),
    '</svg>\n',
  ].join('\n');
}

function element(shape: Shape): string {
  switch (shape.kind) {
    case 'box': {
      const stroke = shape.stroke === undefined ? '' : ` stroke="${escaped(shape.stroke)}"`;
      const dashes = shape.dashed === true ? ' stroke-dasharray="4 3"' : '';
      return `<rect x="${shape.x}" y="${shape.y}" width="${shape.width}" height="${shape.height}" rx="3" fill="${escaped(shape.fill)}"${stroke}${dashes}/>`;
    }
    case 'path':
      return `<path d="${shape.d}" fill="none" stroke="${escaped(shape.stroke)}" stroke-width="1.5"/>`;
    case 'dot':
      return `<circle cx="${shape.x}" cy="${shape.y}" r="${dotRadius}" fill="${escaped(shape.fill)}"/>`;
    case 'text':
      return text(shape);
    default:
      return assertNever(shape);
  }
}

/** A text within its width: what does not fit is cut off, as an inner `svg` does. */
function text(shape: Extract<Shape, { kind: 'text' }>): string {
  if (shape.text === '' || shape.width <= 0) {
    return '';
  }
  const left = shape.atEnd === true ? shape.x - shape.width : shape.x;
  const at = shape.atEnd === true ? ` x="${shape.width}" text-anchor="end"` : ' x="0"';
  const style = `${shape.bold === true ? ' font-weight="600"' : ''}${shape.italic === true ? ' font-style="italic"' : ''}`;
  const inner = `<text${at} y="${fontSize}"${style} fill="${escaped(shape.fill)}">${escaped(shape.text)}</text>`;
  return `<svg x="${left}" y="${shape.y - fontSize}" width="${shape.width}" height="${fontSize * 1.5}">${inner}</svg>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text of XML 1.0: control characters and halves of characters, which it cannot say, become the replacement character. */
const escaped = (value: string): string =>
  value
    .toWellFormed()
    .replaceAll(/\p{Cc}|[\uFFFE\uFFFF]/gu, '\uFFFD')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
