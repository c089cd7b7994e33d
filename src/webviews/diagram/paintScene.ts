import { assertNever } from '../../base/assertNever.ts';
import type { Scene, SceneShape } from '../diagramLayout/scene.ts';

interface Font {
  readonly size: number;
  readonly family: string;
}

const dotRadius = 3;

/** Paints the whole diagram with its upper left corner at the origin. */
export function paintScene(
  context: CanvasRenderingContext2D,
  { bounds, background, shapes }: Scene,
  font: Font,
): void {
  context.translate(-bounds.x, -bounds.y);
  context.fillStyle = background;
  context.fillRect(bounds.x, bounds.y, bounds.width, bounds.height);
  for (const shape of shapes) {
    context.save();
    paintShape(context, shape, font);
    context.restore();
  }
}

function paintShape(context: CanvasRenderingContext2D, shape: SceneShape, font: Font): void {
  switch (shape.kind) {
    case 'box':
      context.setLineDash(shape.isDashed === true ? [4, 3] : []);
      if (shape.fill !== 'none') {
        context.fillStyle = shape.fill;
        context.fillRect(shape.x, shape.y, shape.width, shape.height);
      }
      if (shape.stroke !== undefined) {
        context.strokeStyle = shape.stroke;
        context.strokeRect(shape.x, shape.y, shape.width, shape.height);
      }
      break;
    case 'path':
      context.strokeStyle = shape.stroke;
      context.lineWidth = 1.5;
      context.stroke(new Path2D(shape.d));
      break;
    case 'dot':
      context.fillStyle = shape.fill;
      context.beginPath();
      context.arc(shape.x, shape.y, dotRadius, 0, 2 * Math.PI);
      context.fill();
      break;
    case 'text':
      paintText(context, shape, font);
      break;
    default:
      assertNever(shape);
  }
}

/** Paints a text, clipped to its width. */
function paintText(
  context: CanvasRenderingContext2D,
  shape: Extract<SceneShape, { kind: 'text' }>,
  { size, family }: Font,
): void {
  const left = shape.isRightAligned === true ? shape.x - shape.width : shape.x;
  context.beginPath();
  context.rect(left, shape.y - size, shape.width, size * 1.5);
  context.clip();
  context.fillStyle = shape.fill;
  context.textAlign = shape.isRightAligned === true ? 'right' : 'left';
  context.font = `${shape.isItalic === true ? 'italic ' : ''}${shape.isBold === true ? '600 ' : ''}${size}px ${family}`;
  context.fillText(shape.text, shape.x, shape.y);
}
