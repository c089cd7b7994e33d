import { render } from 'preact';
import type { FromCustomData, ToCustomData } from '../protocol/customData.ts';
import { connectHost } from '../shared/host.ts';
import './customData.css';
import { CustomDataPage } from './customDataPage.tsx';

const root = document.querySelector('#root');
if (root !== null) {
  render(<CustomDataPage host={connectHost<ToCustomData, FromCustomData>()} />, root);
}
