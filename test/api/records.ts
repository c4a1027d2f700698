// The interface's records as TypeScript types, written from the interface and not from the code.

/** A subitem. [seed: Invoice] */
export interface Subitem {
  readonly subitem_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly reference_type: string;
  readonly reference_id: string;
  readonly subitem_type: string;
  readonly description: string;
  readonly metadata: Record<string, unknown> | null;
  readonly source_account_id: string;
  readonly source_payment_method_id: string;
  readonly source_wallet_id: string;
  readonly destination_account_id: string;
  readonly destination_payment_method_id: string;
  readonly destination_wallet_id: string;
}

/** A line item. [seed: Invoice] */
export interface LineItem {
  readonly line_item_id: string;
  readonly product_sku: string;
  readonly amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly reference_type: string;
  readonly reference_id: string;
  readonly transaction_type: string;
  readonly description: string;
  readonly metadata: Record<string, unknown> | null;
  readonly subitems: Readonly<Record<string, Subitem>>;
}

/** An invoice. [seed: Invoice] */
export interface Invoice {
  readonly invoice_id: string;
  readonly account_id: string;
  readonly reference_type: string;
  readonly reference_id: string;
  readonly state: string;
  readonly description: string;
  readonly metadata: Record<string, unknown> | null;
  readonly summary: {
    readonly total_amount: number;
    readonly currency: string;
    readonly display_amount: string;
  };
  readonly created: string;
  readonly updated: string;
  readonly payment_methods: Readonly<Record<string, Record<string, unknown>>>;
  readonly line_items: Readonly<Record<string, LineItem>>;
  readonly subitems: Readonly<Record<string, Subitem>>;
  readonly failure_reason?: string;
  readonly failure_code?: string;
}

/** An escrow transaction. [seed: Escrow transaction] */
export interface Escrow {
  readonly id: string;
  readonly account_id: string;
  readonly escrow_invoice_id: string;
  readonly commit_invoice_id: string;
  readonly cancel_invoice_id: string;
  readonly status: string;
  readonly integrator?: string;
  readonly created: string;
  readonly updated: string;
}

/** A payment method. [seed: Payment method record] */
export interface PaymentMethod {
  readonly id: string;
  readonly account_id: string;
  readonly method_class: string;
  readonly display_string: string;
  readonly provider: string;
  readonly psp_reference: string;
  readonly psp_hash_code: string;
  readonly processing_currency: string;
  readonly pm_state: string;
  readonly integrator: string;
  readonly created: string;
  readonly updated: string;
  readonly wallet_balance: string;
  readonly payment_method_id: string;
  readonly provider_data: { readonly wallet_id?: string; readonly wallet_balance?: string };
}

/** The KYC status record. [seed: KYC status record] */
export interface KycStatus {
  readonly account_id: string;
  readonly kyc_id: string;
  readonly kyc_requirements: string;
  readonly pii_level: string;
  readonly state: string;
  readonly match_checks: readonly unknown[];
}

/** An event as it is delivered. [G-60] */
export interface Event {
  readonly event_id: string;
  readonly event_name: string;
  readonly bucket_key: string;
  readonly sent_at: string;
  readonly sequence: number;
  readonly resource_version: number;
  readonly message: Record<string, unknown>;
}
