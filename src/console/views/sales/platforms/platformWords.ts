// How each platform is connected, in Portuguese; in English the API says it. Pure.

/** The API's words about a platform. */
export interface PlatformWords {
  readonly signature: string
  readonly setup_steps: ReadonlyArray<string>
}

/** The words about each platform, by its key. */
export const platformWords: Readonly<Record<string, PlatformWords>> = {
  eduzz: {
    signature: "HMAC-SHA256 do corpo, em hexadecimal, em x-signature",
    setup_steps: [
      "Na Eduzz, abra integrations.eduzz.com, depois Webhook, e crie uma chave em Segurança.",
      "Informe essa chave aqui como o segredo, antes de verificar o endereço lá.",
      "Crie uma configuração com essa chave e este endereço, e selecione os eventos listados aqui.",
      "Escolha “Verificar URL”, salve e ative."
    ]
  },
  generic: {
    signature: "Standard Webhooks: HMAC-SHA256 de id, hora e corpo em webhook-signature, por 5 minutos",
    setup_steps: [
      "Crie um segredo: “whsec_” e de 24 a 64 bytes aleatórios em base64. Informe-o aqui e no sistema que envia as vendas.",
      "Envie cada venda em JSON para este endereço, com POST, no formato da documentação.",
      "Assine cada requisição com uma biblioteca de Standard Webhooks: webhook-id, webhook-timestamp e webhook-signature."
    ]
  },
  hotmart: {
    signature: "O hottok da conta em X-HOTMART-HOTTOK",
    setup_steps: [
      "Na Hotmart, abra Ferramentas, depois Webhook (API e notificações).",
      "Escolha “Cadastrar Webhook”, versão 2.0.0, e cole este endereço.",
      "Selecione os eventos listados aqui e salve.",
      "Abra a aba “Autenticação”, copie o hottok e informe-o aqui como o segredo."
    ]
  },
  hubla: {
    signature: "O token da regra em x-hubla-token",
    setup_steps: [
      "Na Hubla, abra Integrações, depois Webhook, e crie uma regra da versão 2.0.0.",
      "Cole este endereço e escolha os produtos.",
      "Selecione os eventos de faturas (pagamento concluído, pagamento falho, reembolso) e de assinaturas (desativada).",
      "Salve, copie o token e informe-o aqui como o segredo."
    ]
  },
  kiwify: {
    signature: "HMAC-SHA1 do corpo, em hexadecimal, em ?signature=",
    setup_steps: [
      "Na Kiwify, abra Apps, depois Webhooks, e escolha “Criar webhook”.",
      "Cole este endereço e escolha os produtos.",
      "Selecione os eventos de compra aprovada, reembolsada e com chargeback e de assinatura atrasada, renovada e cancelada.",
      "Salve, copie o token do webhook e informe-o aqui como o segredo."
    ]
  },
  stripe: {
    signature: "HMAC-SHA256 de hora e corpo em Stripe-Signature, por 5 minutos",
    setup_steps: [
      "No painel da Stripe, abra Desenvolvedores, depois Webhooks, e escolha “Adicionar destino”.",
      "Selecione os eventos listados aqui e cole este endereço.",
      "Revele o segredo de assinatura (whsec_…) e informe-o aqui como o segredo.",
      "Para pagamentos avulsos, dê à sessão do Checkout o metadado “product_id”, ou mapeie o link de pagamento (plink_…)."
    ]
  }
}
