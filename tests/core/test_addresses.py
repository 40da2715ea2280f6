"""Which addresses are public."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.addresses import is_public


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "8.8.8.8", "93.184.216.34", "192.0.1.1", "2606:4700:4700::1111", "2a00:1450:4001::1"]
)
def test_ordinary_addresses_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    """0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1
    192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
    :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 100::1 2001::1
    2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1 2001:db8::1 2002:7f00:1:: 2002:808:808::1 3fff::1 5f00::1
    fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 2606:4700::1%1 nonsense 2130706433 0x7f.1 127.1""".split(),
)
def test_special_addresses_and_their_disguises_are_not(address: str) -> None:
    assert not is_public(address)


@given(st.integers(0, 2**32 - 1))
def test_no_ipv4_address_is_public_in_an_ipv6_disguise(number: int) -> None:
    v4 = ipaddress.IPv4Address(number)
    for form in (f"::ffff:{v4}", f"64:ff9b::{v4}", f"::{v4}", f"2002:{number >> 16:x}:{number & 0xFFFF:x}::1"):
        assert not is_public(form)


@given(st.ip_addresses())
def test_nothing_is_public_that_python_knows_to_be_private(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    if is_public(str(address)):
        assert not (address.is_private or address.is_loopback or address.is_link_local or address.is_multicast)
        assert not (address.is_reserved or address.is_unspecified)
