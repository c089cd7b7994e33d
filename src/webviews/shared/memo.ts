import { Component, type ComponentChild, type FunctionComponent } from 'preact';

/** Creates a component that is rendered again only when a property changes (`===`). `render` must not use hooks. */
export function memo<Props extends object>(draw: (props: Props) => ComponentChild): FunctionComponent<Props> {
  class MemoComponent extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const now: object = this.props;
      return Object.entries(next).some(([name, value]) => Reflect.get(now, name) !== value);
    }

    override render(): ComponentChild {
      return draw(this.props);
    }
  }
  return MemoComponent as unknown as FunctionComponent<Props>;
}
