import { render } from 'preact';
import type { FromMatrix, ToMatrix } from '../protocol/ruleMatrix.ts';
import { connectHost } from '../shared/host.ts';
import { MatrixPage } from './matrixPage.tsx';
import './main.css';

const root = document.querySelector('#root');
if (root !== null) {
  render(<MatrixPage host={connectHost<ToMatrix, FromMatrix>()} />, root);
}
