"""Currency codes in circulation (ISO 4217, without funds, metals and test codes)."""

CURRENCIES = frozenset(
    """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP
    CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF
    IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD
    MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB
    RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD
    UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG
    """.split()
)

_USUAL = ("USD", "CNY", "EUR", "GBP", "JPY", "INR", "KRW", "CAD", "AUD", "SGD", "HKD", "TWD", "CHF", "SEK", "BRL")
_OTHER_NAMES = {"RMB": "CNY", "CNH": "CNY", "NTD": "TWD", "$": "USD", "US$": "USD", "¥": "CNY", "€": "EUR", "£": "GBP"}


def nearest_currency(word: str) -> str:
    """The code that was probably meant, or "": codes are so short that chance likeness would mislead."""
    word = word.upper()
    if word in _OTHER_NAMES:
        return _OTHER_NAMES[word]
    if word in CURRENCIES:
        return word
    near = [code for code in _USUAL if len(word) == 3 and sum(a != b for a, b in zip(word, code, strict=True)) == 1]
    return near[0] if near else ""
