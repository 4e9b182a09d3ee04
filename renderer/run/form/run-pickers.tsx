import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { ConnectionPicker } from './connection-picker.tsx';
import { ModelPicker } from './model-picker.tsx';
import styles from './run-pickers.module.css';

/** Connection and model side by side, for the head of a panel. */
export function RunPickers({ operation }: { operation: OperationName }) {
  return (
    <>
      <ConnectionPicker className={styles.connection} />
      <ModelPicker operation={operation} className={styles.model} />
    </>
  );
}
