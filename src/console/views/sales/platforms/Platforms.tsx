import { useSignal } from "@preact/signals"
import { number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../../browser/parts/States.tsx"
import { Tabs } from "../../../../browser/parts/Tabs.tsx"
import { clubPage, type ClubViewProps, useCommands } from "../../../club/View.ts"
import { addressState } from "../model/SalesSentence.ts"
import { type Address, salesTabs, useAddresses, usePlatforms } from "../Reads.ts"
import { salesWords } from "../words.ts"
import { AddressCard } from "./AddressCard.tsx"
import { AddressForm } from "./AddressForm.tsx"

const words = spoken(
  {
    add: "New address",
    lead: (taking: number, all: number) =>
      all === 0
        ? "Your sales platforms send their events here."
        : `${number(taking)} of ${number(all)} ${all === 1 ? "address takes" : "addresses take"} sales in.`,
    none: "No address yet",
    noneText: "Make one for each platform you sell on, and enter it there. Each address shows the steps."
  },
  {
    add: "Novo endereço",
    lead: (taking: number, all: number) =>
      all === 0
        ? "Suas plataformas de vendas enviam os eventos para cá."
        : `${number(taking)} de ${number(all)} ${all === 1 ? "endereço recebe" : "endereços recebem"} vendas.`,
    none: "Nenhum endereço ainda",
    noneText: "Crie um para cada plataforma em que você vende e informe-o lá. Cada endereço mostra os passos."
  }
)

const takes = (address: Address) => {
  const state = addressState(address)
  return state === "taking" || state === "open"
}

/** The addresses of the club that sales platforms write to. */
export default function Platforms({ club }: ClubViewProps) {
  const addresses = useAddresses(club)
  const platforms = usePlatforms(club)
  const isAdding = useSignal(false)
  const madeId = useSignal<string | undefined>(undefined)
  const add = () => {
    isAdding.value = true
  }
  useCommands([{ label: said(words).add, keys: "n", run: add }])
  const addButton = <button type="button" onClick={add}>{said(words).add}</button>
  const all = addresses.data ?? []
  return (
    <>
      <PageHead
        title={said(salesWords).addresses}
        above={[{ label: said(salesWords).sales, to: clubPage(club, "sales") }]}
        actions={addButton}
      >
        {said(words).lead(all.filter(takes).length, all.length)}
      </PageHead>
      <Tabs label={said(salesWords).parts} tabs={salesTabs(club)} />
      <Shown read={addresses}>
        {(shown) =>
          shown.length === 0
            ? <Empty icon="bag" title={said(words).none} action={addButton}>{said(words).noneText}</Empty>
            : (
              <ul class="plain-list stack">
                {shown.map((address) => (
                  <li key={address.id}>
                    <AddressCard
                      club={club}
                      address={address}
                      platform={platforms.data?.find(({ key }) => key === address.platform)}
                      isNew={address.id === madeId.value}
                    />
                  </li>
                ))}
              </ul>
            )}
      </Shown>
      {isAdding.value && (
        <Shown read={platforms}>
          {(known) => (
            <AddressForm
              club={club}
              platforms={known}
              onClose={() => (isAdding.value = false)}
              onMade={(id) => (madeId.value = id)}
            />
          )}
        </Shown>
      )}
    </>
  )
}
