// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

/// A token in the manner of USDC. It may keep a part of each transfer, and may announce that part as arrived.
contract TestToken {
    string public constant name = "USD Coin";
    string public constant symbol = "USDC";
    uint8 public constant decimals = 6;

    address private immutable issuer = msg.sender;
    uint256 private immutable feeBps;
    bool private immutable announcesAll;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint256 fee, bool all) {
        feeBps = fee;
        announcesAll = all;
    }

    function mint(address to, uint256 value) external {
        require(msg.sender == issuer, "only the issuer");
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) private {
        require(balanceOf[from] >= value, "transfer amount exceeds balance");
        uint256 fee = value * feeBps / 10000;
        balanceOf[from] -= value;
        balanceOf[to] += value - fee;
        if (fee > 0) {
            balanceOf[issuer] += fee;
            if (!announcesAll) emit Transfer(from, issuer, fee);
        }
        emit Transfer(from, to, announcesAll ? value : value - fee);
    }
}

/// A wallet that is a contract: its owner tells it which calls to make.
contract ContractWallet {
    address private immutable owner = msg.sender;

    function execute(address to, bytes calldata data) external {
        require(msg.sender == owner, "only the owner");
        run(to, data);
    }

    function executeAll(address[] calldata to, bytes[] calldata data) external {
        require(msg.sender == owner, "only the owner");
        for (uint256 i = 0; i < to.length; i++) run(to[i], data[i]);
    }

    function run(address to, bytes calldata data) private {
        (bool done, bytes memory result) = to.call(data);
        if (!done) {
            assembly {
                revert(add(result, 32), mload(result))
            }
        }
    }
}

/// Claims transfers that never were, as many as its caller pays for.
contract Flood {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function flood(address to, uint256 count) external {
        for (uint256 i = 0; i < count; i++) emit Transfer(msg.sender, to, 1);
    }
}
