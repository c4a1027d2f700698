// The kit's entry: what screens of every flow are made of, so a checkout loads it. What only forms of
// people need is imported from its own file.
export { BackButton, Button, IconButton, RowButton, type ButtonProps } from './button.tsx';
export { ConfirmDialog, FormDialog } from './dialog.tsx';
export { ExternalFrame } from './external-frame.tsx';
export { Notice, PoweredLine, Progress, Skeleton, Spinner, type Tone } from './feedback.tsx';
export { SelectField, Switch, TextField, type FieldProps } from './fields.tsx';
export * from './icons.tsx';
export { amountText, minorDigits, moneyText, plainAmount } from './money-text.ts';
export { methodName } from './method-name.ts';
export { Money } from './money.tsx';
export { RadioGroup, RadioRow, Row, Rows, SwitchRow, type RowFace } from './rows.tsx';
export { Result, Screen } from './screen.tsx';
