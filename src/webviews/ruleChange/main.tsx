import { render } from 'preact';
import type { FromRuleChange, ToRuleChange } from '../protocol/ruleChange.ts';
import { connectHost } from '../shared/host.ts';
import './ruleChange.css';
import { RuleChangePage } from './ruleChangePage.tsx';

const root = document.querySelector('#root');
if (root !== null) {
  render(<RuleChangePage host={connectHost<ToRuleChange, FromRuleChange>()} />, root);
}
