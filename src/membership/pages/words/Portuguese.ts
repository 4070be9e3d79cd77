import type { Words } from "./English.ts"

const time = (seconds: number) =>
  seconds > 90 ? `${Math.ceil(seconds / 60)} minutos` : seconds === 1 ? "um segundo" : `${seconds} segundos`

/** The words of the pages in Portuguese. */
export const portuguese: Words = {
  fields: {
    email: "Endereço de e-mail",
    password: "Senha",
    newPassword: "Nova senha",
    name: "Seu nome",
    code: "Código do e-mail",
    registrationCode: "Código de inscrição",
    registrationCodeHint: "Só se o seu clube deu um a você.",
    clubName: "Nome do clube",
    clubLocale: "Idioma dos e-mails do clube",
    passwordHint:
      "8 caracteres ou mais, quaisquer que sejam. Algumas palavras sem relação são fáceis de lembrar e difíceis " +
      "de adivinhar.",
    optional: "opcional"
  },
  wrong: {
    summary: "Confira mais uma vez",
    email: "Digite um endereço de e-mail, como ana@example.com.",
    password: "Digite de 8 a 1024 caracteres.",
    name: "Digite um nome de até 200 caracteres.",
    code: "Digite o código que está no e-mail.",
    registration_code: "Um código de inscrição tem até 64 caracteres.",
    club_name: "Digite um nome de até 120 caracteres.",
    locale: "Escolha um dos idiomas.",
    credentials: "O e-mail ou a senha não confere.",
    notVerified: "Este endereço ainda não foi confirmado. O link está no nosso e-mail; podemos enviá-lo de novo."
  },
  place: {
    administrators: "Para administradores",
    unknownClub: "Seu clube"
  },
  links: {
    signIn: "Entrar",
    signUp: "Criar uma conta",
    forgot: "Esqueceu a senha?",
    access: "Entrar com um código por e-mail",
    resend: "Enviar o e-mail de novo",
    enter: "Digitar um código",
    newCode: "Pedir um novo código",
    otherAccount: "Entrar com outra conta",
    otherAddress: "Usar outro endereço"
  },
  mailed: {
    title: "Veja sua caixa de entrada",
    spam: "Nada depois de um ou dois minutos? Olhe na caixa de spam.",
    sign_up: (email) => `Estamos escrevendo para ${email}. Siga o link do e-mail em até 24 horas.`,
    resend: (email) => `Se um cadastro de ${email} espera confirmação, um novo e-mail está a caminho.`,
    forgot: (email) => `Se ${email} tem uma conta aqui, um e-mail está a caminho. O link vale por 1 hora.`,
    access: (email) => `Se ${email} tem uma conta aqui, um e-mail está a caminho. O código vale por 15 minutos.`
  },
  renewed: {
    access: (email) => `Enviamos um novo link para ${email}. Ele vale por 15 minutos.`,
    forgot: (email) => `Enviamos um novo link para ${email}. Ele vale por 1 hora.`
  },
  instead: (email) =>
    `Outra conta está aberta neste navegador: ${email}. Se você continuar, ela sai daqui e você entra como:`,
  signUp: {
    title: "Crie sua conta",
    intro: "Com ela você cria clubes ou ajuda a cuidar de um clube que convidou você.",
    student: "Com ela você aprende neste clube. Talvez o clube tenha dado um código a você.",
    submit: "Criar a conta"
  },
  confirm: {
    title: "Confirme seu endereço",
    intro: "Com um clique sua conta fica pronta e você já entra:",
    submit: "Confirmar e entrar",
    hint: "Só se foi você que se cadastrou: a conta fica com a senha escolhida no cadastro.",
    gone: "Ele já foi usado ou tem mais de 24 horas. Se você já confirmou o endereço, é só entrar.",
    usedTitle: "Seu endereço já está confirmado",
    used: "Este link já cumpriu seu papel. Entre com sua senha ou por um link que funciona uma vez."
  },
  gone: {
    title: "Este link não funciona mais",
    again: "Podemos enviar um novo por e-mail:",
    to: (email) => `Podemos enviar um link para ${email}.`,
    submit: "Enviar o link"
  },
  resend: {
    title: "Enviar a confirmação de novo",
    intro: "Para um cadastro que ainda não foi confirmado.",
    submit: "Enviar o e-mail de novo"
  },
  forgot: {
    title: "Esqueceu a senha?",
    intro: "Enviamos um link com o qual você escolhe uma nova.",
    submit: "Enviar o link"
  },
  reset: {
    title: "Escolha uma nova senha",
    intro: "Ela encerra todas as sessões abertas da sua conta, e você já entra:",
    submit: "Salvar e entrar",
    hint: "Não é a sua conta? Então feche esta página.",
    gone: "Ele já foi usado ou tem mais de 1 hora."
  },
  access: {
    title: "Entrar com um código por e-mail",
    intro: "Sem senha: enviamos um código que funciona uma vez.",
    submit: "Enviar o código"
  },
  enter: {
    title: "Entrar",
    intro: "Com um clique você entra como:",
    manual: "Nosso e-mail traz um código que funciona uma vez. Digite-o com o seu endereço.",
    emailHint: "O endereço que recebeu o e-mail.",
    submit: "Entrar",
    hint: "Não é você? Então feche esta página.",
    gone: "Ele já foi usado ou é antigo demais. Cada link funciona uma vez.",
    refused:
      "O e-mail chegou a outro endereço, ou o código já foi usado ou é antigo demais. Confira o endereço ou peça um novo " +
      "código. Um código vale por 15 minutos, o de um convite por 7 dias."
  },
  signIn: { title: "Entrar", intro: "Com seu e-mail e sua senha.", submit: "Entrar" },
  signedIn: { title: "Você já entrou", goOn: "Continuar", signOut: "Sair" },
  signedOut: { title: "Você saiu", text: "Ninguém mais está conectado neste navegador." },
  invitation: {
    title: "Aceite o convite",
    intro: "Entre com o endereço de e-mail que foi convidado.",
    submit: "Aceitar o convite",
    noAccount: "Ainda sem conta?",
    noAccountText: "Crie uma com o endereço convidado e depois siga de novo o link do convite.",
    gone: (email) =>
      `Ele foi usado ou cancelado, tem mais de 7 dias ou é para outro endereço que não ${email}. Peça um novo a quem ` +
      "convidou você."
  },
  club: {
    title: "Crie um clube",
    intro: "Um clube tem seus próprios alunos, cursos e comunidade. Você será titular dele.",
    account: "Sua conta",
    submit: "Criar o clube",
    limit: "Esta conta já criou todos os clubes que pode."
  },
  terminal: {
    title: "Autorizar um terminal",
    intro: "Ele recebe uma chave do seu clube. Na lista de chaves do clube você a vê e pode revogar.",
    warning: "Somente o seu",
    warningText: "Continue apenas se você acabou de começar isto em um terminal e ele mostra exatamente este código.",
    code: "Código no terminal",
    club: "Clube",
    role: "O que ele pode fazer",
    roles: {
      viewer: "Ler",
      support: "Cuidar dos alunos",
      editor: "Manter cursos e comunidade",
      admin: "Tudo o que uma chave pode"
    },
    submit: "Autorizar",
    wrongCode: "Digite o código que o terminal mostra, como BDWP-HQPK.",
    gone: "O código é desconhecido ou tem mais de 10 minutos. Comece de novo no terminal.",
    choose: "Escolha o clube e digite a senha mais uma vez.",
    noClub: "Você não administra nenhum clube.",
    done: (name) => `${name} está autorizado`,
    next: (club) => `Agora funciona para ${club}. Volte ao terminal; esta página pode ser fechada.`
  },
  failed: {
    403: {
      title: "Isso veio de outro site",
      text: "Nossos formulários só são enviados pelas nossas próprias páginas. Nada foi feito."
    },
    404: { title: "Não há nada aqui", text: "O endereço pode estar incompleto. Siga de novo o link do e-mail." },
    413: {
      title: "O envio é grande demais",
      text: "O que foi enviado é maior que qualquer formulário nosso. Nada foi feito."
    },
    415: { title: "Isso não era um formulário", text: "Não foi possível ler o que foi enviado. Nada foi feito." },
    429: {
      title: "Tentativas demais",
      text: (seconds) => `Para proteger as contas, contamos as tentativas. Tente de novo em ${time(seconds)}.`
    },
    500: { title: "Algo deu errado", text: "A falha é nossa e ficou registrada. Tente de novo daqui a pouco." },
    503: { title: "Não é possível no momento", text: "Nada foi feito. Tente de novo daqui a pouco." }
  }
}
