import type { ComponentChildren } from 'preact';
import { t } from '../shared/t.ts';
import { getSideLabel } from './report.ts';
import type { AccessFormatter } from './accessFormatter.ts';
import type { AccessView } from './accessView.ts';

interface SidesTableProps {
  /** The heading of the first column, which contains the row headings. */
  readonly rowHeading: string;
  readonly view: AccessView;
  readonly formatter: AccessFormatter;
  readonly children: ComponentChildren;
}

/** A table with a column for each side of the comparison; the children are its rows. */
export const SidesTable = ({ rowHeading, view, formatter, children }: SidesTableProps) => (
  <table>
    <thead>
      <tr>
        <th scope="col">{rowHeading}</th>
        {view.sides.map((side, index) => (
          <th scope="col" key={`${index} ${side.rulesVariant}`}>
            {getSideLabel(side, formatter, t)}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);
