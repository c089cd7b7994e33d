import { render } from 'preact';
import type { MatrixPageMessage, MatrixHostMessage } from '../protocol/ruleMatrix.ts';
import { connectHost } from '../shared/host.ts';
import { MatrixPage } from './matrixPage.tsx';
import './main.css';

const root = document.querySelector('#root');
if (root !== null) {
  render(<MatrixPage host={connectHost<MatrixHostMessage, MatrixPageMessage>()} />, root);
}
