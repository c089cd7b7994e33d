import type { JSX } from 'preact';
import type { PlanItem, PlanSection } from '../../protocol/planPage.ts';
import '../planSection.css';
import { LineDiff } from './lineDiff.tsx';

/** A section of a plan: a heading with the number of items, and the list of changed resources or affected parties. */
export function PlanSectionView({
  section,
  heading: Heading = 'h2',
  onOpen,
}: {
  readonly section: PlanSection;
  readonly heading?: 'h2' | 'h3';
  /** Opens the resource that an item with a link refers to. */
  readonly onOpen?: (linkIndex: number) => void;
}): JSX.Element {
  return (
    <section class={`plan-section ${section.tone}`} aria-label={section.title}>
      <Heading>
        {section.title} <span class="count">{section.count}</span>
      </Heading>
      <ul>
        {section.items.map((item, index) => (
          <li key={index}>
            <span class={`codicon codicon-${item.icon}`} aria-hidden="true" />
            <div>
              <ItemName item={item} onOpen={onOpen} />{' '}
              {item.detail === undefined ? undefined : <span class="muted">{item.detail}</span>}
              {(item.diffs ?? []).map((diff, diffIndex) => (
                <LineDiff key={diffIndex} diff={diff} />
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ItemName({
  item: { text, link },
  onOpen,
}: {
  readonly item: PlanItem;
  readonly onOpen: ((linkIndex: number) => void) | undefined;
}): JSX.Element {
  return link === undefined || onOpen === undefined ? (
    <span class="name">{text}</span>
  ) : (
    <button class="link name" type="button" onClick={() => onOpen(link)}>
      {text}
    </button>
  );
}
