/** The words that a person wrote. */
export const Written = ({ text }: { readonly text: string }) => <div class="prose written" dir="auto">{text}</div>
