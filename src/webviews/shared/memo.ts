import { Component, type ComponentChild, type FunctionComponent } from 'preact';

/** Creates a component that is rendered again only when a property changes (`===`). `render` must not use hooks. */
export function memo<Props extends object>(
  render: (props: Props) => ComponentChild,
): FunctionComponent<Props> {
  class MemoComponent extends Component<Props> {
    override shouldComponentUpdate(nextProps: Readonly<Props>): boolean {
      const currentProps: object = this.props;
      return Object.entries(nextProps).some(([name, value]) => Reflect.get(currentProps, name) !== value);
    }

    override render(): ComponentChild {
      return render(this.props);
    }
  }
  return MemoComponent as unknown as FunctionComponent<Props>;
}
